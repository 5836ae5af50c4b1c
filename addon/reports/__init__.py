# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures of a take and what each needs of it (`measures.py`, `needs.py`), its physics card (`card.py`), and
the page on a matrix of takes beside what was published (`matrix.py`, `page.py`)."""
