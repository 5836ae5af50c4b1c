import bpy

settings = bpy.context.scene.lope.character.lope

settings.bake_target = 'update'
settings.bake_parts = 'all'
settings.bake_controls = 'fk'
settings.bake_root = 'in_place'
settings.bake_use_range = False
settings.bake_step = 1
settings.bake_loop = True
settings.bake_lock_feet = True
settings.bake_reduce = False
settings.bake_push_down = False
settings.bake_markers = True
settings.bake_subframes = False
settings.bake_keep_old = False
settings.bake_go_on = False
