import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { counted } from '../../domain/money';
import { type Instant, toIso } from '../../domain/time';
import { invalidRequest, MAX_FAULTS, notFound, Problem, type Fault } from './problems';
import { findUnstorable } from './storable';

/** Requests are validated, and responses serialized, with the zod schemas of their routes. */
export function checkBySchemas(app: FastifyInstance): void {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
}

/**
 * Reports every fault of a part at once. Invalid path parameters are answered with 404. Bodies were checked for unstorable
 * text when they were parsed; all other parts are checked here.
 */
const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    const unstorable = httpPart === 'body' ? null : findUnstorable(data);
    if (unstorable !== null) return { error: invalidRequest([unstorable]) };
    const result = schema.safeParse(data);
    if (result.success) return { value: result.data };
    if (httpPart === 'params') return { error: notFound('There is nothing with this id.') };
    return { error: invalidRequest(faultsOf(result.error, data ?? undefined)) };
  };
};

/** The faults that a schema found, on a route that adds checks of its own. */
export function schemaFaults(error: unknown): readonly Fault[] {
  if (error === undefined || error === null) return [];
  if (error instanceof Problem && error.code === 'invalid_request') return error.more['errors'] as readonly Fault[];
  throw error as Error;
}

type Issue = z.core.$ZodIssue;

/**
 * The faults that a schema found, up to the maximum of a response. `input` is what was validated; its text is shown only where it
 * can be neither secret nor personal.
 */
export function faultsOf(error: z.core.$ZodError, input: unknown): Fault[] {
  const faults = error.issues.slice(0, MAX_FAULTS).flatMap((issue) => describe(issue, input));
  const seen = new Set<string>();
  return faults.filter((fault) => !seen.has(JSON.stringify(fault)) && seen.add(JSON.stringify(fault)));
}

/** A fault that shows only the shape of the value. */
export function fault(path: string, expected: string, got: unknown): Fault {
  return { path, message: `expected ${expected}; got ${shapeOf(got)}` };
}

/** The fault of a time that must be in the future and is not; empty if it is. Both times are business time. */
export function pastFaults(path: string, at: Instant, now: Instant): Fault[] {
  return at > now ? [] : [{ path, message: `expected a time after now, ${toIso(now)}; got ${toIso(at)}` }];
}

function describe(issue: Issue, input: unknown): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, MAX_FAULTS)
      .map((key) => ({ path: join([...issue.path, key]), message: 'unknown field' }));
  }
  const got = issue.code === 'invalid_key' ? issue.path.at(-1) : at(input, issue.path);
  if (typeof got === 'string' && mayBeShown(issue, got))
    return [{ path: join(issue.path), message: `expected ${expectation(issue)}; got "${got}"` }];
  return [fault(join(issue.path), expectation(issue), got)];
}

/** `params` of an issue about a field that holds no free text, such as a time: a short value may be shown. */
export const PLAIN = { isPlain: true } as const;

/** Looks like a constant such as `USD`: it is neither secret nor personal. */
const CONSTANT = /^[A-Z_]{1,20}$/;
const SHORT = /^[\w:.,+*\- ]{1,40}$/;

/** Whether a text is neither secret nor personal. */
function mayBeShown(issue: Issue, text: string): boolean {
  if (issue.code === 'invalid_value') return CONSTANT.test(text);
  const isNumber = (issue.code === 'too_small' || issue.code === 'too_big') && issue.origin !== 'string';
  const isPlain = issue.code === 'custom' && issue.params?.['isPlain'] === true;
  return (isNumber || isPlain) && SHORT.test(text);
}

/** What was expected, in words. Custom messages of schemas are also phrased as an expectation. */
function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      // A schema may say more than the type of its value.
      return issue.message.startsWith('Invalid input') ? (KINDS[issue.expected] ?? issue.expected) : issue.message;
    case 'too_small':
      return bound('at least', issue.minimum, issue.origin);
    case 'too_big':
      return bound('at most', issue.maximum, issue.origin);
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.map(String).join(', ')}`;
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'invalid_key':
      return `a key that is ${issue.issues.map(expectation).join(', ')}`;
    case 'invalid_format':
    case 'invalid_union':
    case 'invalid_element':
    case 'unrecognized_keys':
    case 'custom':
      return issue.message;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
};

/** @param origin what is bounded, in zod's words */
function bound(which: 'at least' | 'at most', limit: number | bigint, origin: string): string {
  if (origin === 'string') return `text of ${which} ${counted(Number(limit), 'character')}`;
  if (origin === 'array') return `a list of ${which} ${counted(Number(limit), 'item')}`;
  return `a number of ${which} ${limit}`;
}

/** Describes a value without showing text, which may be secret or personal. Numbers and booleans are shown. */
export function shapeOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return `text of ${counted(countCharacters(value), 'character')}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? `a list of ${counted(value.length, 'item')}` : 'an object';
}

/** Counts characters as the length limits do: one outside the basic plane counts once. */
function countCharacters(text: string): number {
  return text.replace(/[\ud800-\udbff](?=[\udc00-\udfff])/g, '').length;
}

/** Field names in a request may have any length. */
const MAX_PATH_LENGTH = 200;

function join(path: readonly PropertyKey[]): string {
  const text = path.map(String).join('.');
  return text.length <= MAX_PATH_LENGTH ? text : `${text.slice(0, MAX_PATH_LENGTH)}…`;
}

function at(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
