import bpy

settings = bpy.context.scene.lope.character.lope

settings.mass_kg = 75.0
settings.suit = 'apollo-a7lb'
