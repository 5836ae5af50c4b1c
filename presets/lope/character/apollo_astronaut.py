import bpy

active = bpy.context.object
of_mesh = active.find_armature() if active and active.type == 'MESH' else None
settings = (bpy.context.scene.lope.armature or of_mesh or active).lope

settings.mass_kg = 75.0
settings.suit = 'apollo-a7lb'
