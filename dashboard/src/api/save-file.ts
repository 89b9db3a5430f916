import { refusalOf } from '#base/contract/client.ts';
import { authorisedFetch } from '../session/session.ts';

/** Saves what an operation answers as a file. */
export async function saveFile(
  path: string,
  filter: Readonly<Record<string, string>>,
  fileName: string,
): Promise<void> {
  const query = new URLSearchParams(filter);
  const response = await authorisedFetch(`${path}?${query.toString()}`);
  if (!response.ok) throw await refusalOf(response);
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
