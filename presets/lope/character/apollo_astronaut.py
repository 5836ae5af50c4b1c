import bpy
settings = (bpy.context.scene.lope.armature or bpy.context.object).lope

settings.mass_kg = 75.0
settings.suit = 'apollo-a7lb'
