import bpy

settings = bpy.context.scene.lope

settings.world = 'europa'
settings.friction = 0.2
settings.ground = 'plane'
