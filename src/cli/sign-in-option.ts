/** The help of `--username`, where a key of this machine will do. */
export const whoSignsIn =
  'who signs in; default: by BULWARK_TOKEN, BULWARK_USERNAME with BULWARK_PASSWORD, BULWARK_API_KEY or the key of this machine, the first that is set';
