import type { EffectiveSetting } from '#base/config/effective.ts';
import type { Answer } from '#base/contract/operation.ts';
import { forbidden } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import { administersAll } from '#identity/access.ts';
import type { Caller } from '#identity/caller.ts';
import type { deploymentOperations } from './contract.ts';

type Value = Answer<(typeof deploymentOperations)['getConfiguration']>['settings'][number]['value'];

export const deploymentHandlers = (
  settings: readonly EffectiveSetting[],
): Handlers<typeof deploymentOperations, Caller> => ({
  getConfiguration({ caller }) {
    if (!administersAll(caller))
      throw forbidden('Only an administrator of the tenant system can see the configuration.');
    return {
      settings: settings.map(({ path, variable, value, isSet, doc }) => ({
        path,
        variable,
        // Settings are texts, numbers, booleans and lists of texts.
        value: value as Value,
        is_set: isSet,
        doc,
      })),
    };
  },
});
