"""The words of the field that the app uses, what they mean, and where each can be seen."""
