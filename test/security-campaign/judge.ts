import { type Role, ROLES } from '../../src/ledger';
import { createValidator, type Validator } from '../support/validator';
import type { Said } from './ask';
import type { Description, Operation } from './description';

const JSON_TYPES = ['application/json', 'application/problem+json'];
/** Traces of a stack, of the program's folders and of the ledger. */
const INTERNAL = /\bat \S+ \(|node_modules|\/src\/|\bselect .* from\b|duplicate key value|relation "/i;

/** Compares answers with the description of the API. */
export class Judge {
  private readonly wrongBy: Validator;

  constructor({ schemas }: Description) {
    this.wrongBy = createValidator(schemas);
  }

  /**
   * What is wrong with the answer, null if nothing is.
   * @param role of the key, null without one
   * @param mayMiss whether the path may be that of no call, which is answered before any key is required
   */
  wrongIn(operation: Operation, role: Role | null, said: Said, mayMiss = false): string | null {
    const { status, headers, text } = said;
    if (status >= 500) return `${status}: ${text.slice(0, 300)}`;
    const key = this.documented(operation, status);
    if (key === null) return `${status} is not described: ${text.slice(0, 300)}`;
    const access = mayMiss && [400, 404].includes(status) ? null : wrongAccess(operation, role, status);
    if (access !== null) return access;
    if (headers['cache-control'] !== 'no-store')
      return `${status} may be cached: ${headers['cache-control'] ?? 'no header'}`;
    if (INTERNAL.test(status < 400 ? '' : text)) return `${status} shows what is internal: ${text.slice(0, 300)}`;
    return this.wrongBody(operation, key, said);
  }

  /** The name under which the status is described. */
  private documented({ answers }: Operation, status: number): string | null {
    const names = [String(status), `${Math.floor(status / 100)}XX`];
    return Object.keys(answers).find((each) => names.includes(each.toUpperCase())) ?? null;
  }

  private wrongBody(operation: Operation, key: string, { status, headers, text }: Said): string | null {
    const { content } = operation.answers[key] ?? {};
    const [type = ''] = (headers['content-type'] ?? '').split(';');
    if (content === undefined) return text === '' ? null : `${status} has a body that is not described`;
    const schema = content[type]?.schema;
    if (content[type] === undefined) return `${status} is of type ${type || 'none'}, which is not described`;
    if (schema === undefined || !JSON_TYPES.includes(type)) return null;
    const body = JSON.parse(text) as { status?: unknown };
    if (status >= 400 && body.status !== status) return `${status} says of itself ${String(body.status)}`;
    const wrong = this.wrongBy(schema, body);
    return wrong === null ? null : `${status} is not as described: ${wrong}`;
  }
}

/** Keys have their whole role: what it does not reach is forbidden, whatever else is wrong with the request. */
function wrongAccess({ role: needed }: Operation, role: Role | null, status: number): string | null {
  if (needed === null) return null;
  if (role === null) return status === 401 ? null : `${status} without a key`;
  if (status === 401) return `401 to a good key`;
  const isAllowed = ROLES.indexOf(role) >= ROLES.indexOf(needed as Role);
  return !isAllowed && status !== 403 ? `${status} to ${role}, whose role does not reach it` : null;
}
