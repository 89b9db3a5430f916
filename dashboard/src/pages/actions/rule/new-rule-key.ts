/** In the address, in the place of a rule's key, for a rule that is being written. */
export const newRuleKey = 'new';
