// SPDX-License-Identifier: GPL-3.0-or-later
// The part of Flamenco's manager that a job type script sees, as its documentation describes it: `author` makes tasks and
// commands, the job takes a copy of a task when it is added. `compiled(settings)` gives the job's tasks as plain values.
"use strict";

const author = {
  Task(name, type) {
    if (!String(name).trim() || !String(type).trim()) {
      throw new Error("author.Task(name, type): both are required");
    }
    return {
      id: ++author.made,
      name: String(name).trim(),
      type: String(type).trim(),
      commands: [],
      dependencies: [],
      addCommand(command) { this.commands.push(command); },
      addDependency(task) { this.dependencies.push(task.id); },
    };
  },
  Command(name, parameters) {
    return { name, parameters };
  },
  made: 0,
};

function compiled(settings) {
  const tasks = [];
  compileJob({
    settings,
    addTask(task) { tasks.push(JSON.parse(JSON.stringify(task))); },
  });
  return tasks;
}
