"""Lessons: short ways through the pages, written as data; what they say of numbers comes from the recorded run."""
