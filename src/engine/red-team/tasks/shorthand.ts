type Plain = Record<string, unknown>;

const separator = '__';

/**
 * Most task files are about one environment. Such a file names it once, as `env`; this fills it in wherever a task
 * would name it: as `envs` of scenarios and goals, as `env` of checks, and before the names of tools.
 */
export function withoutShorthand(file: unknown): unknown {
  if (!isPlain(file) || typeof file.env !== 'string') return file;
  const { env, ...rest } = file;
  const parts = (name: string) =>
    Array.isArray(rest[name]) ? { [name]: rest[name].map((part) => completed(part, env as string)) } : {};
  return { ...rest, ...parts('scenarios'), ...parts('goals') };
}

function completed(part: unknown, env: string): unknown {
  if (!isPlain(part)) return part;
  const named = (step: unknown) =>
    isPlain(step) && typeof step.call === 'string' ? { ...step, call: prefixed(step.call, env) } : step;
  return {
    envs: [env],
    ...part,
    ...(isPlain(part.seed) && !isPlain(part.seed[env]) ? { seed: { [env]: part.seed } } : {}),
    ...(typeof part.compromised_tool === 'string'
      ? { compromised_tool: prefixed(part.compromised_tool, env) }
      : {}),
    ...(Array.isArray(part.ground_truth) ? { ground_truth: part.ground_truth.map(named) } : {}),
    ...(Array.isArray(part.allow)
      ? { allow: part.allow.map((each: unknown) => (isPlain(each) ? { env, ...each } : each)) }
      : {}),
    ...('success' in part ? { success: completedCheck(part.success, env) } : {}),
    ...('attack' in part ? { attack: completedCheck(part.attack, env) } : {}),
  };
}

function completedCheck(check: unknown, env: string): unknown {
  if (!isPlain(check)) return check;
  const entries = Object.entries(check).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map((each) => completedCheck(each, env))];
    if (name === 'not') return [name, completedCheck(value, env)];
    if ((name === 'row' || name === 'sink') && isPlain(value)) return [name, { env, ...value }];
    if (name === 'call' && isPlain(value) && typeof value.tool === 'string')
      return [name, { ...value, tool: prefixed(value.tool, env) }];
    return [name, value];
  });
  return Object.fromEntries(entries) as Plain;
}

function prefixed(tool: string, env: string): string {
  return tool.includes(separator) ? tool : `${env}${separator}${tool}`;
}

function isPlain(value: unknown): value is Plain {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
