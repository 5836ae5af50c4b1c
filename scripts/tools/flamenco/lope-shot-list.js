// SPDX-License-Identifier: GPL-3.0-or-later
// Job type for Flamenco 3: a Lope shot list as tasks that simulate, bake, render and lay out contact sheets.
// Goes into the folder `scripts` beside the manager; `lope batch LIST --flamenco` writes the jobs (docs/farm.md).

const JOB_TYPE = {
  label: "Lope shot list",
  description: "Walks under any planet's gravity: simulate, bake, render and contact sheets of a shot list",
  settings: [
    {
      key: "list", type: "string", subtype: "file_path", required: true,
      description: "The shot list, where every worker finds it",
    },
    {
      key: "sheet", type: "bool", default: false, visible: "web",
      description: "One contact sheet of all shots at the end",
    },
    {
      key: "shots", type: "string", required: true, visible: "hidden",
      description: "What there is to do, as JSON: written by `lope batch LIST --flamenco`",
    },
  ],
};

const STAGES = ["simulate", "report", "bake", "render"];
const NEEDS = { report: "simulate", bake: "simulate", render: "bake" };
const NAME = /^[A-Za-z0-9][A-Za-z0-9._+-]*$/; // as shot lists have it: no option, no path
const AGAIN = " Write the job anew with `lope batch LIST --flamenco`.";

function compileJob(job) {
  const list = textOf(job.settings, "list");
  const shots = shotsOf(job.settings);
  const rigs = new Map();
  const last = [];
  for (const shot of shots) {
    if (shot.rig && !rigs.has(shot.rig)) {
      rigs.set(shot.rig, addTask(job, "rig " + shot.rig, [], [lopeCommand(list, "rig", shot.name)]));
    }
    last.push(addShot(job, list, shot, shot.rig ? [rigs.get(shot.rig)] : []));
  }
  if (job.settings.sheet) {
    addTask(job, "sheet", last, [lopeCommand(list, "sheet")]);
  }
}

// addShot adds the tasks of one shot, each after the one before, and gives the last of them.
function addShot(job, list, shot, after) {
  const has = (stage) => shot.stages.indexOf(stage) >= 0;
  const first = [lopeCommand(list, "simulate", shot.name)];
  if (has("report")) {
    first.push(lopeCommand(list, "report", shot.name));
  }
  let task = addTask(job, "simulate " + shot.name, after, first);
  if (has("bake")) {
    task = addTask(job, "bake " + shot.name, [task], [lopeCommand(list, "bake", shot.name)]);
  }
  if (has("render")) {
    task = addTask(job, "render " + shot.name, [task], [lopeCommand(list, "render", shot.name)]);
  }
  return task;
}

// addTask makes a task whole before the job gets it: the manager takes a copy.
function addTask(job, name, after, commands) {
  const task = author.Task(name, "blender");
  commands.forEach((command) => task.addCommand(command));
  after.forEach((other) => task.addDependency(other));
  job.addTask(task);
  return task;
}

// lopeCommand runs one stage of one shot, or of the whole list, in the Blender of the worker.
function lopeCommand(list, stage, name) {
  const words = ["--background", "--command", "lope", "batch", list, "--stage", stage];
  return author.Command("exec", { exe: "{blender}", args: words.concat(name ? ["--only", name] : []) });
}

function textOf(settings, key) {
  const value = settings[key];
  if (typeof value !== "string" || value.trim() === "") {
    throw new Error("The setting '" + key + "' is missing: submit what `lope batch LIST --flamenco` writes.");
  }
  return value.trim();
}

// shotsOf reads the setting `shots`, and refuses what would make tasks that cannot work.
function shotsOf(settings) {
  let shots;
  try {
    shots = JSON.parse(textOf(settings, "shots"));
  } catch (error) {
    throw error instanceof SyntaxError ? new Error("The setting 'shots' is no JSON: " + error.message + "." + AGAIN) : error;
  }
  if (!Array.isArray(shots) || shots.length === 0) {
    throw new Error("The setting 'shots' must be a list with at least one shot." + AGAIN);
  }
  const seen = new Set();
  shots.forEach((shot) => checkShot(shot, seen));
  return shots;
}

function checkShot(shot, seen) {
  if (shot === null || typeof shot.name !== "string" || !NAME.test(shot.name)) {
    throw new Error("A shot's name holds letters, digits and . _ + - only, got " + JSON.stringify(shot && shot.name) + "."
      + AGAIN);
  }
  const folded = shot.name.toLowerCase();
  if (seen.has(folded)) {
    throw new Error("Two shots are called '" + shot.name + "'." + AGAIN);
  }
  seen.add(folded);
  const stages = Array.isArray(shot.stages) ? shot.stages : [];
  stages.forEach((stage) => {
    if (STAGES.indexOf(stage) < 0) {
      throw new Error("The shot '" + shot.name + "' has the unknown stage '" + stage + "'; known: " + STAGES.join(", ") + "."
        + AGAIN);
    }
    if (NEEDS[stage] && stages.indexOf(NEEDS[stage]) < 0) {
      throw new Error("The shot '" + shot.name + "' has '" + stage + "' without '" + NEEDS[stage] + "'." + AGAIN);
    }
  });
  if (stages.indexOf("simulate") < 0) {
    throw new Error("The shot '" + shot.name + "' is not simulated: its stages must hold 'simulate'." + AGAIN);
  }
}
