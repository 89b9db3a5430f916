import { notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { templateOperations } from '../contract/templates.ts';
import { viewPolicyFields } from '../policies/view.ts';
import type { Templates } from './templates.ts';

export const templateHandlers = (templates: Templates): Handlers<typeof templateOperations, Caller> => ({
  listTemplates: () => ({
    templates: templates.all.map(({ policyId, name, description, category, rules }) => ({
      id: policyId,
      name,
      description,
      category,
      rule_count: rules.length,
    })),
    total: templates.all.length,
  }),
  getTemplate({ params }) {
    const template = templates.find(params.template_id);
    if (template === undefined) throw notFound(`The template ${params.template_id}`);
    return viewPolicyFields(template);
  },
});
