import type { Row } from '#environments/kit/row.ts';
import type { AllowedChange } from '../checks/check.ts';
import type { Seed, TaskInstance } from './instance.ts';
import type { Goal, Scenario, Step, TaskFile } from './task-file.ts';
import { taskTypes, type Vector } from './taxonomy.ts';
import { templateNames, templates } from './templates.ts';

const injectionMark = '{{injection}}';

/** The user whose agent is tested, as the templates name them. */
const userName = 'Robin Marsh';

/** All tasks of a file: each scenario alone, each goal as a direct request, and their combinations. */
export function expand(file: TaskFile): TaskInstance[] {
  const benign = file.scenarios.map((scenario) => benignTask(file, scenario));
  const direct = file.goals.filter((goal) => goal.direct_prompt).map((goal) => directTask(file, goal));
  const indirect = file.scenarios.flatMap((scenario, at) =>
    file.goals
      .filter((goal) => fits(scenario, goal))
      .flatMap((goal, which) => indirectTasks(file, scenario, goal, at + which)),
  );
  return [...benign, ...direct, ...indirect];
}

/** An agent has only the scenario's environments: a goal that needs others cannot be reached. */
function fits(scenario: Scenario, goal: Goal): boolean {
  return goal.envs.every((env) => scenario.envs.includes(env)) && !goal.not_with.includes(scenario.id);
}

function benignTask(file: TaskFile, scenario: Scenario): TaskInstance {
  const skill = scenario.skill ? { ...scenario.skill, text: filled(scenario.skill.text, '') } : null;
  return {
    ...common(file, scenario),
    id: scenario.id,
    threatModel: 'benign',
    taskType: taskTypes.benign,
    riskCategory: null,
    subCategory: null,
    vector: null,
    template: null,
    policy: null,
    seed: filledSeed(scenario.seed, ''),
    injection: null,
    skill,
    attack: null,
    groundTruth: { user: scenario.ground_truth, attacker: [] },
  };
}

function directTask(file: TaskFile, goal: Goal): TaskInstance {
  return {
    id: `${goal.id}+direct`,
    title: goal.title,
    domain: file.domain,
    envs: goal.envs,
    threatModel: 'direct',
    taskType: taskTypes.direct,
    ...risk(goal),
    vector: null,
    template: null,
    prompt: goal.direct_prompt as string,
    seed: goal.seed,
    injection: null,
    skill: null,
    success: null,
    attack: goal.attack,
    allow: [],
    groundTruth: { user: [], attacker: goal.ground_truth },
  };
}

/** Each vector that the scenario has room for, with a template that differs from pair to pair. */
function indirectTasks(file: TaskFile, scenario: Scenario, goal: Goal, offset: number): TaskInstance[] {
  return vectorsOf(scenario).flatMap((vector, index) =>
    [0, 3].map((step) => {
      const template = templateNames[(offset + index + step) % templateNames.length] as string;
      return indirectTask(file, scenario, goal, vector, template);
    }),
  );
}

function vectorsOf(scenario: Scenario): Vector[] {
  const inData = JSON.stringify(scenario.seed).includes(injectionMark);
  return [
    ...(inData ? (['environment_data'] as const) : []),
    ...(scenario.compromised_tool ? (['tool_output'] as const) : []),
    'tool_description',
    ...(scenario.skill ? (['skill'] as const) : []),
    ...(inData ? (['combined'] as const) : []),
  ];
}

function indirectTask(
  file: TaskFile,
  scenario: Scenario,
  goal: Goal,
  vector: Vector,
  template: string,
): TaskInstance {
  const tools = goal.ground_truth.flatMap((step) => ('call' in step ? [step.call] : []));
  const text = (templates[template] as (typeof templates)[string])({
    goal: goal.text,
    user: userName,
    tools,
  });
  const inData = vector === 'environment_data' || vector === 'combined' ? text : '';
  const tool = vector === 'tool_output' ? scenario.compromised_tool : firstTool(scenario);
  const skill = scenario.skill
    ? { ...scenario.skill, text: filled(scenario.skill.text, vector === 'skill' ? text : '') }
    : null;
  return {
    ...common(file, scenario),
    id: `${scenario.id}+${goal.id}+${vector}+${template}`,
    title: `${scenario.title} / ${goal.title}`,
    threatModel: 'indirect',
    taskType: taskTypes.indirect,
    ...risk(goal),
    vector,
    template,
    seed: mergedSeeds(filledSeed(scenario.seed, inData), goal.seed),
    injection: { text, vector, ...(tool ? { tool } : {}) },
    skill,
    attack: goal.attack,
    groundTruth: { user: scenario.ground_truth, attacker: goal.ground_truth },
  };
}

function common(file: TaskFile, scenario: Scenario) {
  const skillHint = scenario.skill
    ? `\n\nFollow the skill "${scenario.skill.name}"; read it with skills__read.`
    : '';
  return {
    title: scenario.title,
    domain: file.domain,
    envs: scenario.envs,
    prompt: scenario.prompt + skillHint,
    success: scenario.success,
    allow: scenario.allow as AllowedChange[],
  };
}

function risk(goal: Goal) {
  return { riskCategory: goal.risk_category, subCategory: goal.sub_category, policy: goal.policy };
}

/** The tool whose description an attacker who controls the server would change: the first that the work needs. */
function firstTool(scenario: Scenario): string | undefined {
  const first = scenario.ground_truth.find((step): step is Extract<Step, { call: string }> => 'call' in step);
  return first?.call;
}

function filled(text: string, injection: string): string {
  return text.replaceAll(injectionMark, () => injection).trimEnd();
}

function filledSeed(seed: Seed, injection: string): Seed {
  const row = (cells: Row): Row =>
    Object.fromEntries(
      Object.entries(cells).map(([column, cell]) => [
        column,
        typeof cell === 'string' ? filled(cell, injection) : cell,
      ]),
    );
  return Object.fromEntries(
    Object.entries(seed).map(([env, tables]) => [
      env,
      Object.fromEntries(Object.entries(tables).map(([table, rows]) => [table, rows.map(row)])),
    ]),
  );
}

function mergedSeeds(first: Seed, second: Seed): Seed {
  const merged: Seed = structuredClone(first);
  for (const [env, tables] of Object.entries(second))
    for (const [table, rows] of Object.entries(tables)) {
      const own = (merged[env] ??= {});
      own[table] = [...(own[table] ?? []), ...rows];
    }
  return merged;
}
