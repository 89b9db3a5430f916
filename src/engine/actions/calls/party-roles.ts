/** Whoever the record itself says it is. */
const roles =
  /^(?:the[ _])?(?:customer|client|buyer|guest|passenger|traveller|traveler|patient|requester|reporter|subscriber|tenant|member|recipient|contact|account[ _]holder)(?:[ _]on[ _](?:the[ _])?[a-z]+)?$/;

/** `to: customer`: a role in lower case, and no address. */
export const namesRole = (value: string): boolean => roles.test(value);
