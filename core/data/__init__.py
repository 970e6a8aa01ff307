"""The data: vocabularies, tokenizers, tasks that write their own sentence pairs, splits and batches."""
