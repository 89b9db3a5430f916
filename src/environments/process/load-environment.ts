import type { Environment } from '../kit/environment.ts';

/**
 * The environment with this id, or undefined. Loads that one alone: a process that serves one environment would need
 * twice the time for its start with all of them.
 */
export async function loadEnvironment(id: string): Promise<Environment | undefined> {
  if (!/^[a-z]+(?:_[a-z]+)*$/.test(id)) return undefined;
  const folder = id.replaceAll('_', '-');
  try {
    const loaded = (await import(`../${folder}/${folder}.ts`)) as Record<string, Partial<Environment>>;
    return Object.values(loaded).find((exported) => exported.id === id) as Environment | undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
