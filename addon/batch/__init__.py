# SPDX-License-Identifier: GPL-3.0-or-later
"""The shot list and the batch that works it off: many shots, many processes, one file that knows what is done."""
