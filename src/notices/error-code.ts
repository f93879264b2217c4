/** A code and no message: messages of network errors name hosts, addresses and what the peer said (decisions 28). */
export function errorCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'no code';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && typeof error.name === 'string' ? error.name : 'no code';
}
