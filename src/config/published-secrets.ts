import { VARIABLES, type Values, type VariableName } from './variables';

/** A setting that is valid but unsafe in production. `message` never contains a secret. */
export interface UnsafeSetting {
  /** A variable of dueday or of the runtime. */
  readonly name: VariableName | 'NODE_TLS_REJECT_UNAUTHORIZED';
  readonly message: string;
}

/** Secrets and passwords in the compose file, the documentation, the examples and the tests, which anyone can read. */
const PUBLISHED: ReadonlySet<string> = new Set([
  'dueday-on-this-machine',
  'program-on-this-machine',
  'temporal-on-this-machine',
  'sandbox-secret',
  'an-admin-key-for-this-machine-only',
  'a-key-of-at-least-32-characters-3',
  'bootstrap-key-of-forty-characters-12345678',
  'canary-bootstrap-key-of-the-campaign-91',
  'canary-api-key-5be08d17aa92',
  'canary-client-secret-7f3a91c2d4',
  'client-secret-of-the-test',
  'another-secret-altogether',
  'password',
  'secret',
  'whsec_dGhpcyBpcyBhbiBleGFtcGxlIG9ubHkh',
  'canary-smtp-password-2c6e',
  'api-key-of-the-wiring',
  'api-key-of-the-cluster',
  'key-of-the-codec-server-0123456789',
  'key-of-the-codec-server-of-the-wiring-1',
  'bootstrap-key-of-the-stack-1234567890',
  'bootstrap-key-of-the-scenarios-1234567890',
  'secret-of-the-scenarios',
  'secret-of-the-simulator',
  'unspeakable-of-the-merchant',
  'unspeakable-of-the-doctor',
  'unspeakable-of-the-original',
  'unspeakable-of-the-copy',
  'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
]);

/** The simulator's own secret is not used in production. */
const isSecret = (name: VariableName) => VARIABLES[name].secret && name !== 'SANDBOX_CLIENT_SECRET';

/** The secrets in a variable's value: key rings have several, and URLs a password. */
function secretsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(({ key }: { readonly key: string }) => key);
  if (typeof value !== 'string') return [];
  if (!URL.canParse(value) || !value.includes('://')) return [value];
  return [decoded(new URL(value).password)].filter((password) => password !== '');
}

/** Unchanged if its percent-encoding is invalid: the PostgreSQL driver takes such a password as it is. */
function decoded(password: string): string {
  try {
    return decodeURIComponent(password);
  } catch (error) {
    if (error instanceof URIError) return password;
    throw error;
  }
}

function exampleSecrets(name: VariableName): readonly string[] {
  const read = VARIABLES[name].schema.safeParse(VARIABLES[name].example);
  return read.success ? secretsOf(read.data) : [];
}

const EXAMPLES: ReadonlySet<string> = new Set(
  (Object.keys(VARIABLES) as VariableName[]).filter(isSecret).flatMap(exampleSecrets),
);

/** Settings with a secret that is published in this project's own files. */
export function findPublishedSecrets(values: Values): readonly UnsafeSetting[] {
  const names = (Object.keys(VARIABLES) as VariableName[]).filter(isSecret);
  return names.flatMap((name) => {
    const isPublished = secretsOf(values[name]).some((each) => PUBLISHED.has(each) || EXAMPLES.has(each));
    return isPublished ? [{ name, message: "a secret published in dueday's own files; expected your own" }] : [];
  });
}
