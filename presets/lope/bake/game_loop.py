import bpy
settings = (bpy.context.scene.lope.armature or bpy.context.object).lope

settings.bake_target = 'new'
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
