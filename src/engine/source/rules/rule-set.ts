import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { CalleeIndex } from './callee-index.ts';
import {
  type DetectorRule,
  isDetectorRule,
  isPatternRule,
  type PatternRule,
  ruleSchema,
  type Sink,
  type SourceRule,
  type TaintRule,
} from './rule.ts';

export interface SinkOf {
  sink: Sink;
  rule: TaintRule;
  bit: number;
  receiver?: RegExp;
  after?: RegExp;
  made?: RegExp;
  unmade?: RegExp;
  manifest?: RegExp;
  begins?: RegExp;
  /** Of which source it speaks; of what callers choose where none is said. */
  source?: 'token';
  given: readonly (readonly [name: string, value: RegExp])[];
  notGiven: readonly (readonly [name: string, value: RegExp])[];
}

/** The rules, ready to be asked. */
export interface RuleSet {
  rules: readonly SourceRule[];
  patterns: readonly PatternRule[];
  /** Of all rules' files: results under another one are out of date. */
  hash: string;
  sinks: CalleeIndex<SinkOf>;
  /** Bits that a call clears. */
  sanitizers: CalleeIndex<number>;
  /** The bit of a taint rule by its id; 0 for one that is not there. */
  bitOf: (id: string) => number;
  /** The rule for what code of its own finds. */
  detector: (id: string) => DetectorRule | undefined;
}

/** Bit 0 says that a path was normalised; see taint/shown.ts. */
const firstBit = 1;

const compiled = (wanted: Readonly<Record<string, string>> = {}) =>
  Object.entries(wanted).map(([name, value]) => [name, new RegExp(value, 'i')] as const);

function addTaintRule(set: RuleSet, rule: TaintRule, source?: 'token'): void {
  const bit = set.bitOf(rule.id);
  for (const sink of rule.sinks)
    set.sinks.add(sink.callee, {
      sink,
      rule,
      bit,
      ...(source === undefined ? {} : { source }),
      ...(sink.receiver === undefined ? {} : { receiver: new RegExp(sink.receiver, 'i') }),
      given: compiled(sink.given),
      notGiven: compiled(sink.notGiven),
      ...(sink.after === undefined ? {} : { after: new RegExp(sink.after) }),
      ...(sink.begins === undefined ? {} : { begins: new RegExp(sink.begins, 'is') }),
      ...(sink.made === undefined ? {} : { made: new RegExp(sink.made) }),
      ...(sink.unmade === undefined ? {} : { unmade: new RegExp(sink.unmade) }),
      ...(sink.manifest === undefined ? {} : { manifest: new RegExp(sink.manifest) }),
    });
  for (const { callee } of rule.sanitizers) set.sanitizers.add(callee, bit);
}

/** What a rule says of how something is written, as one of where a value goes. */
function flowOf(pattern: PatternRule): { rule: TaintRule; source: 'token' }[] {
  const { flows } = pattern;
  if (flows === undefined) return [];
  const { source, message, sinks } = flows;
  const rule: TaintRule = {
    ...pattern,
    kind: 'taint',
    message,
    sinks,
    sanitizers: [],
    around: 'nothing',
    capability: 'medium',
  };
  return [{ source, rule }];
}

/** Makes a set of rules ready; the hash is of the texts that they came from. */
function ruleSetOf(rules: readonly SourceRule[], hash: string): RuleSet {
  const taintRules = rules.filter((rule) => rule.kind === 'taint');
  const flows = rules.flatMap((rule) => (isPatternRule(rule) ? flowOf(rule) : []));
  if (taintRules.length + flows.length + firstBit > 24)
    throw new Error('more than 23 taint rules: their bits do not fit a number');
  const bits = new Map(
    [...taintRules, ...flows.map(({ rule }) => rule)].map(({ id }, at) => [id, 1 << (at + firstBit)]),
  );
  const detectors = new Map(rules.filter(isDetectorRule).map((rule) => [rule.id, rule]));
  const set: RuleSet = {
    rules,
    patterns: rules.filter(isPatternRule),
    hash,
    sinks: new CalleeIndex(),
    sanitizers: new CalleeIndex(),
    bitOf: (id) => bits.get(id) ?? 0,
    detector: (id) => detectors.get(id),
  };
  for (const rule of taintRules) addTaintRule(set, rule);
  for (const { rule, source } of flows) addTaintRule(set, rule, source);
  return set;
}

const folder = join(import.meta.dirname, '../../../../data/mcp-scan/rules');
let loaded: RuleSet | undefined;

/** The shipped rules, read once. */
export function loadRuleSet(): RuleSet {
  if (loaded !== undefined) return loaded;
  const hash = createHash('sha256');
  const rules = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      hash.update(`${name}\0${text}\0`);
      const read = ruleSchema.safeParse(load(text));
      if (!read.success) throw new Error(`data/mcp-scan/rules/${name}: ${read.error.message}`);
      return read.data;
    });
  loaded = ruleSetOf(rules, hash.digest('hex'));
  return loaded;
}
