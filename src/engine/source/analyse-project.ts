import { foldByServer, foldByValue, foldCopies, foldSurpassed, manifests, packagesOf } from './fold.ts';
import { withSurpassed } from './capability.ts';
import { withParameters } from './declared-parameters.ts';
import { follow, type Followed, mostlyReached } from './follow.ts';
import { readJavascript } from './form/javascript.ts';
import { readGo } from './form/go.ts';
import { readJava } from './form/java.ts';
import { readRust } from './form/rust.ts';
import { readPython } from './form/python.ts';
import type { ModuleForm } from './form/form.ts';
import { withoutBundledSchemas } from './library/bundled-schemas.ts';
import { lineOf } from './locations.ts';
import { observeAll, observeHit } from './observe.ts';
import { findPatterns, type ProjectNeeds } from './patterns/find-patterns.ts';
import { PatternIndex } from './patterns/pattern-index.ts';
import { WholeProject } from './patterns/whole-project.ts';
import { withDeclared } from './surface/declared.ts';
import { observeDescriptions, placeOf } from './surface/descriptions.ts';
import { servedTools } from './surface/offered.ts';
import { observeHiddenCharacters } from './install/hidden-characters.ts';
import { observeDeclared } from './declared/observe-declared.ts';
import { observeInstallScripts } from './install/install-scripts.ts';
import { findSecrets } from './secrets/find-secrets.ts';
import { makesServer, speaksProtocol } from './speaks-protocol.ts';
import { SecretMask } from './secrets/mask-secrets.ts';
import { withWebhooks } from './webhooks/observe-webhooks.ts';
import type { Observation } from '#findings/finding.ts';
import { findGrammar, type Grammar, loadSourceParser, type SourceParser } from './parse/grammars.ts';
import { type SyntaxNode, unreadUnits } from './parse/syntax-tree.ts';
import { rustCratesOf } from './rust-crates.ts';
import { goModulesOf, manifestsOf, ModuleFinder, type SourceModule } from './modules.ts';
import type { DetectorRule } from './rules/rule.ts';
import { loadRuleSet, type RuleSet } from './rules/rule-set.ts';
import {
  type AnalysisProgress,
  type Coverage,
  type Entrance,
  type Limit,
  presetLimits,
  type SkipReason,
  type SourceAnalysis,
  type SourceFile,
  type SourceLimits,
} from './types.ts';

const readers: Record<Grammar, (root: SyntaxNode) => ModuleForm> = {
  typescript: readJavascript,
  tsx: readJavascript,
  python: readPython,
  go: readGo,
  java: readJava,
  rust: readRust,
};

const dependencyFolder =
  /(?:^|\/)(?:node_modules|site-packages|\.venv|venv|vendor|third_party|bower_components|target\/debug|target\/release|\.git)\//;

/** By what is known of the file, or by its name. */
const grammarOf = ({ path, grammar }: SourceFile): Grammar | undefined => grammar ?? findGrammar(path);

const grammarsOf = (files: readonly SourceFile[]): Set<Grammar> =>
  new Set(files.map(grammarOf).filter((grammar) => grammar !== undefined));

interface Reading {
  limits: SourceLimits;
  until: number;
  coverage: Coverage;
  parser: SourceParser;
}

function skip({ coverage }: Reading, path: string, bytes: number, reason: SkipReason): void {
  if (bytes > 0) coverage.skipped.push({ path, bytes, reason });
}

/** The file in its intermediate form; what of it was not read is noted. */
function readFile(file: SourceFile, grammar: Grammar, reading: Reading): SourceModule | undefined {
  const { limits, coverage, parser } = reading;
  const { text: whole } = file;
  const bytes = Buffer.byteLength(whole);
  coverage.presentBytes += bytes;
  const reader = readers[grammar];
  // What the project loads by its path is its own, wherever it lies.
  if (file.grammar === undefined && dependencyFolder.test(file.path)) {
    skip(reading, file.path, bytes, 'dependency');
    return undefined;
  }
  const left = reading.until - performance.now();
  if (left <= 0) {
    skip(reading, file.path, bytes, 'time');
    return undefined;
  }
  const text = whole.slice(0, limits.fileBytes);
  const read = Buffer.byteLength(text);
  skip(reading, file.path, bytes - read, 'file-too-large');
  const tree = parser.parse(text, grammar, {
    depth: limits.depth,
    timeMs: limits.parseMs,
    until: reading.until,
  });
  if (tree === undefined) {
    skip(reading, file.path, read, 'parse-time');
    return undefined;
  }
  skip(reading, file.path, tree.cutUnits, 'too-deeply-nested');
  // Declarations of types run nothing, and have forms that the grammar does not know; a text that was cut ends badly.
  const unread = read < bytes || /\.d\.[cm]?ts$/.test(file.path) ? 0 : unreadUnits(tree);
  skip(reading, file.path, unread, 'parse-error');
  coverage.analysedBytes += Math.max(0, read - tree.cutUnits - unread);
  const module: SourceModule = {
    path: file.path,
    text,
    grammar,
    form: reader(tree.root),
    ...(file.isStarted && { isStarted: true }),
  };
  module.form = withoutBundledSchemas(module);
  return module;
}

/**
 * Looks for weaknesses in the source of a server: what its callers choose is followed from tools and routes to where
 * it could do harm. Nothing is run and nothing leaves the process.
 *
 * @param files all files of the project, in any order; the answer does not depend on it
 * @returns observations, worst first by place; what was read and what was not; the tools and routes found
 */
export async function analyseProject(
  files: readonly SourceFile[],
  {
    limits: wished = {},
    rules = loadRuleSet(),
    onProgress,
  }: {
    limits?: Partial<SourceLimits>;
    rules?: RuleSet;
    onProgress?: (progress: AnalysisProgress) => void;
  } = {},
): Promise<SourceAnalysis> {
  const limits = { ...presetLimits, ...wished };
  const until = performance.now() + limits.totalMs;
  const coverage: Coverage = {
    presentBytes: 0,
    analysedBytes: 0,
    skipped: [],
    otherFiles: 0,
    isComplete: true,
  };
  const reading: Reading = { limits, until, coverage, parser: await loadSourceParser(grammarsOf(files)) };
  const modules: SourceModule[] = [];
  const places = new Places(rules);
  let followedBytes = 0;
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  for (const [done, file] of inOrder.entries()) {
    onProgress?.({ stage: 'reading', path: file.path, done, total: files.length });
    const grammar = grammarOf(file);
    if (grammar === undefined) coverage.otherFiles++;
    else {
      const module = readFile(file, grammar, reading);
      if (module === undefined) continue;
      await places.look(module);
      followedBytes += module.text.length;
      // The forms of all files together are what takes memory: those of a project too large for it are let go of.
      if (followedBytes <= limits.followedBytes) modules.push(module);
    }
  }
  onProgress?.({ stage: 'following', path: '', done: files.length, total: files.length });
  const finder = new ModuleFinder(modules, goModulesOf(files), manifestsOf(files), rustCratesOf(files));
  const followed = follow(finder, rules, { steps: limits.steps, until });
  if (!followed.isComplete) coverage.notFollowed = 'time';
  else if (followedBytes > limits.followedBytes) coverage.notFollowed = 'size';
  coverage.isComplete = coverage.notFollowed === undefined;
  return {
    observations: places.secrets.apply(observed(files, followed, modules, places.within(modules), rules)),
    coverage,
    surface: surfaceOf(followed),
    limits: places.limits,
    makesServer: modules.some(makesServer),
  };
}

/** What agents see, and routes. */
const surfaceOf = ({ offered, handlers }: Followed): Entrance[] => [
  ...offered.map((each) => {
    const { module, at: _, end: __, fn: ___, ...said } = each;
    // Of a tool the words that an agent reads, not the function that answers for it.
    return { ...said, path: module.path, line: lineOf(module, placeOf(each, said.description).at) };
  }),
  ...handlers
    .filter(({ kind }) => kind === 'http')
    .map(({ kind, name, description, fn: { module, fn } }) => ({
      kind,
      name,
      description,
      path: module.path,
      line: lineOf(module, fn.at),
    })),
];

const atLine = ({ rule, location }: Observation): string =>
  `${rule} ${location?.path}:${location?.startLine}`;

/** So many places that no tool was seen to lead to are those of a large program, and not of a tool that was lost. */
const mostGuessed = 12;

function withoutGuesses(observations: readonly Observation[]): Observation[] {
  const isGuess = ({ tags, severity }: Observation) => tags.includes('exported') && severity === 'medium';
  if (observations.filter(isGuess).length <= mostGuessed) return [...observations];
  return observations.map((each) => (isGuess(each) ? { ...each, severity: 'low' } : each));
}

/** All that was found, each weakness once. */
function observed(
  files: readonly SourceFile[],
  followed: Followed,
  modules: readonly SourceModule[],
  ofPlaces: readonly Observation[],
  rules: RuleSet,
): Observation[] {
  const paths = files.map(({ path }) => path);
  // A single file, or a few, may be of a server though nothing in them says so.
  const isServer =
    followed.handlers.length > 0 ||
    modules.some((module) => speaksProtocol(module) || module.text.includes('tools/call'));
  const isUnlikely =
    followed.reachedShare >= mostlyReached || (!isServer && paths.some((path) => manifests.test(path)));
  const packageOf = packagesOf(paths);
  const byWay = observeAll(
    withSurpassed(
      withParameters(withDeclared(followed.reports, modules), followed.offered, modules),
      packageOf,
    ),
    isUnlikely,
    servedTools(followed.offered, packageOf),
  );
  const told = new Set(byWay.map(atLine));
  const found = foldCopies(
    [
      ...byWay,
      // Where the way there is known, that is said instead.
      ...withWebhooks(ofPlaces, modules, followed.handlers, rules).filter((each) => !told.has(atLine(each))),
      ...observeDeclared(modules, followed.handlers, rules),
      ...observeDescriptions(followed.offered, rules),
      ...observeInstallScripts(files, rules),
    ],
    packageOf,
  );
  const ofServers = new Set(rules.patterns.filter(({ per }) => per === 'server').map(({ id }) => id));
  return withoutGuesses(
    foldByServer(foldSurpassed(foldByValue(found), packageOf), packageOf, (rule) => ofServers.has(rule)),
  );
}

/** What is seen in each file by itself, without following values. */
class Places {
  readonly #index: PatternIndex;
  readonly #rules: RuleSet;
  readonly #secretRule: DetectorRule | undefined;
  readonly observations: Observation[] = [];
  readonly limits: Limit[] = [];
  readonly secrets = new SecretMask();
  readonly #needs = new Map<Observation, ProjectNeeds>();

  constructor(rules: RuleSet) {
    this.#rules = rules;
    this.#index = new PatternIndex(rules.patterns);
    this.#secretRule = rules.detector('hard-coded-secret');
  }

  /** Without what the other files of the project rule out. */
  within(modules: readonly SourceModule[]): Observation[] {
    const whole = new WholeProject(modules);
    return this.observations.filter((each) => {
      const needs = this.#needs.get(each);
      return needs === undefined || whole.meets(needs);
    });
  }

  async look(module: SourceModule): Promise<void> {
    const seen = new Set<string>();
    for (const hit of findPatterns(module, this.#index)) {
      const key = `${hit.rule.id}:${lineOf(module, hit.at)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (hit.rule.kind === 'limit') {
        const { id, title } = hit.rule;
        this.limits.push({ rule: id, title, path: module.path, line: lineOf(module, hit.at) });
        continue;
      }
      const observation = observeHit({ ...hit, what: `\`${hit.what}\`` });
      if (hit.needs !== undefined) this.#needs.set(observation, hit.needs);
      this.observations.push(observation);
    }
    this.observations.push(...observeHiddenCharacters(module, this.#rules));
    const rule = this.#secretRule;
    if (rule === undefined) return;
    const { hits, spans } = await findSecrets(module);
    this.secrets.add(module, spans);
    for (const { isCertain, ...secret } of hits)
      this.observations.push(
        observeHit({
          rule,
          module,
          ...secret,
          isSecret: true,
          severity: isCertain ? rule.severity : 'medium',
          confidence: isCertain ? 'high' : 'medium',
        }),
      );
  }
}
