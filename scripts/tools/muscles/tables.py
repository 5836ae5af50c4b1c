# SPDX-License-Identifier: GPL-3.0-or-later
"""What the models do not tell: names from anatomy, and published figures of fibres, pennation, fibre types and strength."""

from __future__ import annotations

LEG = {
    "addbrev": "adductor_brevis", "addlong": "adductor_longus", "addmagDist": "adductor_magnus_distal",
    "addmagIsch": "adductor_magnus_ischial", "addmagMid": "adductor_magnus_middle", "addmagProx": "adductor_magnus_proximal",
    "bflh": "biceps_femoris_long", "bfsh": "biceps_femoris_short", "edl": "extensor_digitorum_longus",
    "ehl": "extensor_hallucis_longus", "fdl": "flexor_digitorum_longus", "fhl": "flexor_hallucis_longus",
    "gaslat": "gastrocnemius_lateral", "gasmed": "gastrocnemius_medial", "glmax1": "gluteus_maximus_superior",
    "glmax2": "gluteus_maximus_middle", "glmax3": "gluteus_maximus_inferior", "glmed1": "gluteus_medius_anterior",
    "glmed2": "gluteus_medius_middle", "glmed3": "gluteus_medius_posterior", "glmin1": "gluteus_minimus_anterior",
    "glmin2": "gluteus_minimus_middle", "glmin3": "gluteus_minimus_posterior", "grac": "gracilis", "iliacus": "iliacus",
    "perbrev": "peroneus_brevis", "perlong": "peroneus_longus", "piri": "piriformis", "psoas": "psoas",
    "recfem": "rectus_femoris", "sart": "sartorius", "semimem": "semimembranosus", "semiten": "semitendinosus",
    "soleus": "soleus", "tfl": "tensor_fasciae_latae", "tibant": "tibialis_anterior", "tibpost": "tibialis_posterior",
    "vasint": "vastus_intermedius", "vaslat": "vastus_lateralis", "vasmed": "vastus_medialis",
}
"""MyoLeg's names, and what anatomy calls them."""

FIBRE_M = {
    "bflh": 0.0976, "edl": 0.0693, "gaslat": 0.0588, "gasmed": 0.0510, "glmax3": 0.1569, "glmin2": 0.0560, "glmin3": 0.0380,
    "piri": 0.0260, "recfem": 0.0759, "semimem": 0.0690, "tfl": 0.0950, "vasint": 0.0993, "vaslat": 0.0994, "vasmed": 0.0968,
}
"""Optimal fibre lengths where MyoLeg's own hit the bounds of its conversion: Ward, Eng, Smallwood and Lieber 2009, Clin. Orthop.
Relat. Res. 467; tfl, piri and glmin of Delp et al. 1990, IEEE Trans. Biomed. Eng. 37."""

PENNATION_DEG = {
    "addbrev": 6.1, "addlong": 7.1, "addmag": 15.5, "bflh": 11.6, "bfsh": 12.3, "edl": 10.8, "ehl": 9.4, "fdl": 13.6, "fhl": 16.9,
    "gaslat": 12.0, "gasmed": 9.9, "glmax": 21.9, "glmed": 20.5, "grac": 8.2, "iliacus": 14.3, "perbrev": 11.5, "perlong": 14.1,
    "piri": 10.0, "psoas": 10.6, "recfem": 13.9, "sart": 1.3, "semimem": 15.1, "semiten": 12.9, "soleus": 28.3, "tfl": 3.0,
    "tibant": 9.6, "tibpost": 13.7, "vasint": 4.5, "vaslat": 18.4, "vasmed": 29.6,
}
"""Pennation by the beginning of MyoLeg's names: Ward et al. 2009; piri and tfl of Delp et al. 1990; of others none."""

SLOW_SHARE = {
    "iliocostalis": 0.57, "longissimus": 0.57, "multifidus": 0.57, "rectus_abdominis": 0.46, "deltoid": 0.57,
    "biceps_brachii": 0.46, "triceps": 0.33, "brachioradialis": 0.40, "trapezius": 0.54, "latissimus": 0.51,
    "infraspinatus": 0.45, "supraspinatus": 0.59, "pectoralis": 0.42, "rhomboid": 0.45, "sternocleidomastoid": 0.35,
}
"""Slow-twitch fibres of trunk, arms and neck by the beginning of names, surface and depth averaged: Johnson, Polgar, Weightman
and Appleton 1973, J. Neurol. Sci. 18. Of others the engine knows by name (`addon/bodies/muscles/sets.py`)."""

GUESS = "first guess"
# name: (MASS's unit, greatest force [N], optimal fibre [m] or None: by rule, source of the force)
TRUNK = {
    "iliocostalis": (None, 900.0, 0.12, "erector spinae"),
    "longissimus": (None, 1000.0, 0.12, "erector spinae"),
    "multifidus": ("L_Multifidus", 600.0, 0.07, "erector spinae"),
    "quadratus_lumborum": ("L_Quadratus_Lumborum1", 300.0, 0.08, GUESS),
    "rectus_abdominis": (None, 261.0, 0.29, "Christophy"),
    "external_oblique": (None, 450.0, 0.15, "oblique"),
    "external_oblique_lateral": ("L_Transversus_Abdominis2", 450.0, 0.10, "oblique"),
    "internal_oblique": (None, 900.0, 0.12, "oblique"),
}
"""Erector spinae 2500 N and each oblique 900 N a side: Anderson and Pandy 1999, Comput. Methods Biomech. Biomed. Eng. 2, shared
out here by a first guess; rectus abdominis 567 mm^2 at 46 N/cm^2: Christophy et al. 2012, Biomech. Model. Mechanobiol. 11. Fibre
lengths of the trunk: first guesses, within what Christophy et al. print."""
COMPOSED = {
    "external_oblique": [("L_Transversus_Abdominis2", 1), ("L_Rectus_Abdominis1", 1), ("L_Rectus_Abdominis1", 0)],
    "internal_oblique": [("L_Transversus_Abdominis2", 0), ("L_Transversus_Abdominis4", 1)],
    "iliocostalis": [("L_iliocostalis", i) for i in range(7)], "longissimus": [("L_Longissimus_Thoracis", i) for i in range(7)],
    "deltoid_anterior": [("L_Deltoid1", i) for i in (0, 2, 3, 4)], "deltoid_middle": [("L_Deltoid2", i) for i in (0, 2, 3, 4)],
    "deltoid_posterior": [("L_Trapezius3", 3), ("L_Deltoid2", 4)],
    "pectoralis_major_clavicular": [("L_Pectoralis_Major", i) for i in (0, 1, 2, 4)],
    "pectoralis_major_sternal": [("L_Pectoralis_Major2", i) for i in (0, 1, 2, 4)],
    "latissimus_dorsi_thoracic": [("L_Latissimus_Dorsi", i) for i in (0, 1, 2, 4)],
    "latissimus_dorsi_iliac": [("L_Latissimus_Dorsi5", i) for i in (0, 1, 2, 4)],
    "rectus_abdominis": [("L_Rectus_Abdominis1", i) for i in (0, 3, 4)],
    "coracobrachialis": [("L_Coracobrachialis", i) for i in (0, 2, 3)],
    "biceps_brachii_long": [*(("L_Bicep_Brachii_Long_Head", i) for i in range(6)), "elbow front",
                            ("L_Bicep_Brachii_Long_Head", 7)],
    "biceps_brachii_short": [*(("L_Bicep_Brachii_Short_Head", i) for i in range(2)), "elbow front",
                             ("L_Bicep_Brachii_Short_Head", 3)],
    "brachialis": [*(("L_Brachialis", i) for i in range(2)), "elbow front", ("L_Brachialis", 3)],
    "brachioradialis": [("L_Brachioradialis", 0), ("L_Brachioradialis", 1), "elbow front", ("L_Brachioradialis", 4),
                        ("L_Brachioradialis", 5)],
    "longus_capitis": [("L_Longus_Capitis2", 0), ("L_Longus_Capitis2", 2)],
    "triceps_long": [*(("L_Triceps_Long_Head", i) for i in range(4)), "elbow", ("L_Triceps_Long_Head", 4)],
    "triceps_lateral": [*(("L_Triceps_Lateral_Head", i) for i in range(3)), "elbow", ("L_Triceps_Long_Head", 4)],
    "triceps_medial": [*(("L_Triceps_Medial_Head", i) for i in range(2)), "elbow", ("L_Triceps_Long_Head", 4)],
}
"""Paths that are not a whole unit's: (unit, which of its points), and names of `WRAPS`. MASS has no obliques: these run between
its way points from the outer ribs to the pubis and from the crest of the ilium to the middle of the lowest ribs. Its points at
the shoulder go with scapula and arm both, by weights; fixed ones suit its own pose, arms out, alone, so some near the head of the
humerus are left out, and some at the elbow, where paths wind around it instead; the triceps has one tendon. It has no posterior
deltoid: that one runs from its point at the spine of the scapula."""
WRAPS = {"elbow": (-0.05, 0.0, 0.0), "elbow front": (0.05, 0.0, 0.0)}
"""Where paths that wind around the elbow stay, from its centre [m]."""
ELBOW_M = 0.018
"""Radius of what they wind around: the trochlea with the tendons over it (first guess, near Holzbaur et al. 2005's 16 mm)."""

ARMS = {
    "deltoid_anterior": (None, 1142.6, 0.0976, "Holzbaur"), "deltoid_middle": (None, 1142.6, 0.1078, "Holzbaur"),
    "deltoid_posterior": (None, 259.9, 0.1367, "Holzbaur"),
    "pectoralis_major_clavicular": (None, 364.4, 0.1442, "Holzbaur"),
    "pectoralis_major_sternal": (None, 905.9, 0.1385, "Holzbaur"),
    "latissimus_dorsi_thoracic": (None, 389.1, 0.2540, "Holzbaur"),
    "latissimus_dorsi_iliac": (None, 670.8, 0.2790, "Holzbaur"),
    "teres_major": ("L_Teres_Major", 425.4, 0.1624, "Holzbaur"),
    "subscapularis": ("L_Subscapularis1", 1377.8, 0.0873, "Holzbaur"),
    "supraspinatus": ("L_Supraspinatus", 487.8, 0.0682, "Holzbaur"),
    "infraspinatus": ("L_Infraspinatus1", 1210.8, 0.0755, "Holzbaur"),
    "coracobrachialis": (None, 242.5, 0.0932, "Holzbaur"),
    "biceps_brachii_long": (None, 624.3, 0.1157, "Holzbaur"),
    "biceps_brachii_short": (None, 435.6, 0.1321, "Holzbaur"),
    "brachialis": (None, 987.3, 0.0858, "Holzbaur"),
    "brachioradialis": (None, 261.3, 0.1726, "Holzbaur"),
    "triceps_long": (None, 798.5, 0.1340, "Holzbaur"),
    "triceps_lateral": (None, 624.3, 0.1138, "Holzbaur"),
    "triceps_medial": (None, 624.3, 0.1138, "Holzbaur"),
    "trapezius_lower": ("L_Trapezius", 350.0, None, GUESS), "trapezius_middle": ("L_Trapezius3", 500.0, None, GUESS),
    "trapezius_upper": ("L_Trapezius5", 250.0, None, GUESS), "rhomboid": ("L_Rhomboid_Major2", 300.0, None, GUESS),
    "serratus_anterior": ("L_Serratus_Anterior4", 500.0, None, GUESS),
    "pectoralis_minor": ("L_Pectoralis_Minor1", 150.0, None, GUESS),
}
"""Holzbaur, Murray and Delp 2005, Ann. Biomed. Eng. 33, forces and fibres; parts that MASS draws as one are added up. The
girdle's forces are first guesses: 35 N/cm^2 over sections of about Johnson et al. 1994's."""
STRESS_PA = {"Holzbaur": 1.4e6}
"""With which forces were found, where it is far from the legs': Holzbaur et al. took 140 N/cm^2 over old people's sections, so
that joints were as strong as young men's."""
NECK = {
    "sternocleidomastoid": ("L_Sternocleidomastoid1", 172.0, None, "Vasavada"),
    "splenius_capitis": ("L_Splenius_Capitis1", 108.0, None, "Vasavada"),
    "splenius_cervicis": ("L_Splenius_Cervicis", 50.0, None, "Vasavada"),
    "semispinalis_capitis": ("L_Semispinalis_Capitis1", 193.0, None, "Vasavada"),
    "longissimus_capitis": ("L_Longissimus_Capitis3", 34.0, None, "Vasavada"),
    "longus_capitis": (None, 144.0, None, "Vasavada"),
    "scalene_anterior": ("L_Scalene_Anterior1", 66.0, None, "Vasavada"),
    "scalene_middle": ("L_Scalene_Middle4", 48.0, None, "Vasavada"),
}
"""Sections of Kamibayashi and Richmond 1998 as Vasavada, Li and Delp 1998 (Spine 23) use them, at 35 N/cm^2; longus capitis with
longus colli."""
LAST_ON = {"L_Infraspinatus1": "upper_arm_L"}
"""Units whose last point is on another segment than MASS says: its rig's weights move that point with both."""


def by_beginning(table: dict[str, float], name: str) -> float | None:
    """The figure of the longest key that a name begins with; None where none does."""
    keys = [key for key in table if name.startswith(key)]
    return table[max(keys, key=len)] if keys else None
