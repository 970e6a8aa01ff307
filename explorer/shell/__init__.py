"""What surrounds every view: frame, sentence, panel, lesson, notices."""
