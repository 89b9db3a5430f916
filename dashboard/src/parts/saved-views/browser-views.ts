/** Views of Activity that earlier versions kept in the browser; each user’s move to the server once. */
import { AppError } from '#base/errors.ts';
import { identity } from '../../api/identity.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function read(key: string) {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isRecord) : [];
  } catch {
    // An unreadable list is not worth an error.
    return [];
  }
}

const texts = (search: unknown) =>
  Object.fromEntries(
    Object.entries(isRecord(search) ? search : {}).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );

/**
 * Moves what is kept in this browser, and resolves to whether there was anything. What the server refuses, such as a name
 * that is taken, is dropped; if it does not answer, everything stays for the next time.
 */
export async function moveBrowserViews(userId: string): Promise<boolean> {
  const key = `bulwark-activity-views ${userId}`;
  if (localStorage.getItem(key) === null) return false;
  for (const { name, search } of read(key)) {
    if (typeof name !== 'string') continue;
    try {
      await identity.createSavedView({ body: { place: '/activity', name, search: texts(search) } });
    } catch (error) {
      if (!(error instanceof AppError) || error.status === 401 || error.status >= 500) throw error;
    }
  }
  localStorage.removeItem(key);
  return true;
}
