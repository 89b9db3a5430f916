import type { Domain } from '#environments/kit/environment.ts';
import type { Row } from '#environments/kit/row.ts';
import type { AllowedChange, Check } from '../checks/check.ts';
import type { Step } from './task-file.ts';
import type { RiskCategory, TaskType, ThreatModel, Vector } from './taxonomy.ts';

/** Rows that a session starts with: environment → table → rows. */
export type Seed = Record<string, Record<string, Row[]>>;

/** Where the injected text of a task is put. */
export interface Injection {
  text: string;
  vector: Vector;
  /** The tool whose output or description is changed. */
  tool?: string;
}

/** A procedure that the agent reads with the tool `skills__read`. */
export interface Skill {
  name: string;
  text: string;
}

/** One task as it is run: a scenario, a goal or both, with one template and one vector. */
export interface TaskInstance {
  /** Made of the ids of its parts, joined by `+`. */
  id: string;
  title: string;
  domain: Domain;
  envs: string[];
  threatModel: ThreatModel;
  taskType: TaskType;
  /** Null for benign tasks. */
  riskCategory: RiskCategory | null;
  subCategory: string | null;
  vector: Vector | null;
  template: string | null;
  /** The sentence of the organisation's policy that an attack breaks. */
  policy: string | null;
  prompt: string;
  seed: Seed;
  injection: Injection | null;
  skill: Skill | null;
  /** Null where the user is the attacker: there is no honest work to do. */
  success: Check | null;
  attack: Check | null;
  allow: AllowedChange[];
  groundTruth: { user: Step[]; attacker: Step[] };
}
