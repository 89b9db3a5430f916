import { invalid } from '#base/errors.ts';
import { watchedRun } from '#base/events/watched-run.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { extractionOperations } from '../contract/extraction.ts';
import type { Extraction } from './extraction.ts';
import { documentTypes, isDocument } from './read-document.ts';
import { viewExtraction } from './view.ts';

export const extractionHandlers = (
  extraction: Extraction,
): Handlers<typeof extractionOperations, Caller> => ({
  async extractRules({ caller, body }) {
    const inputs = [{ name: 'text.txt', content: Buffer.from(body.text) }];
    const naming = { policyName: body.policy_name, category: body.category };
    return { job_id: await extraction.begin(caller, naming, inputs), status: 'pending' as const };
  },
  async extractRulesFromFiles({ caller, body }) {
    const naming = { policyName: body.policy_name, category: body.category };
    const inputs = await Promise.all(
      body.files.map(async (file) => ({ name: fileName(file), content: await file.bytes() })),
    );
    return { job_id: await extraction.begin(caller, naming, inputs), status: 'pending' as const };
  },
  async watchExtractionJob({ caller, params }) {
    const state = async () => viewExtraction(await extraction.get(caller, params.job_id));
    // Before the stream begins: what is not the caller's is not found.
    await state();
    return watchedRun((signal) => extraction.watch(caller, params.job_id, signal), state);
  },
  getExtractionJob: async ({ caller, params }) => viewExtraction(await extraction.get(caller, params.job_id)),
});

/** @throws AppError 422 for an unsupported file type */
function fileName({ name }: File): string {
  const last = name.split(/[\\/]/).at(-1)?.slice(-255) ?? '';
  if (!isDocument(last))
    throw invalid(`'files' has "${last}", whose type is not one of ${documentTypes.join(', ')}.`);
  return last;
}
