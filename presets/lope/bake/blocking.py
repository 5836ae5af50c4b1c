import bpy

settings = bpy.context.scene.lope.character.lope

settings.bake_target = 'update'
settings.bake_parts = 'all'
settings.bake_controls = 'auto'
settings.bake_root = 'hips'
settings.bake_use_range = False
settings.bake_step = 1
settings.bake_loop = False
settings.bake_lock_feet = True
settings.bake_reduce = True
settings.bake_error_mm = 2.0
settings.bake_push_down = True
settings.bake_markers = True
settings.bake_subframes = False
settings.bake_keep_old = False
settings.bake_go_on = False
