/** What the detectors of a deployment refer to is checked when it is saved, not only when a video depends on it. */
import { AppError, notFound } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { guardOperations } from '#services/policy-guard/contract/guards.ts';
import type { CheckReferences } from '../deployments/deployments.ts';
import type { WordsDeps } from './judge-words.ts';
import { findOwnModel } from './own-model.ts';

const timeoutMs = 5000;

/** @throws AppError 404 for a guard that the caller may not read; one that cannot be asked for is not checked */
async function checkGuard({ calls, baseUrl, tokenFor }: WordsDeps, caller: Caller, guardUuid: string) {
  const elsewhere = { baseUrl, tokenFor, timeoutMs };
  try {
    await calls.call(guardOperations.getGuard, caller, { params: { guard_uuid: guardUuid } }, elsewhere);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.status === 404 || error.status === 422)
      throw notFound(`The guard ${guardUuid}, which 'detectors.text.guard_uuid' names,`);
  }
}

export const createCheckReferences =
  (words: WordsDeps, modelsFolder: string | undefined): CheckReferences =>
  async (caller, { text, onnx }, before) => {
    if (text.guard_uuid !== null && text.guard_uuid !== before?.text.guard_uuid)
      await checkGuard(words, caller, text.guard_uuid);
    if (onnx.model !== null && onnx.model !== before?.onnx.model)
      await findOwnModel(modelsFolder, onnx.model);
  };
