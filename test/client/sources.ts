import { createRequire } from 'node:module';
import type { Field, Operation } from '../../src/client';
import { formatted } from '../support/formatted';

/** openapi-typescript's own declarations for CommonJS do not compile: they have `export =` beside other exports. */
interface OpenapiTypescript {
  readonly default: (
    description: object,
    options: { readonly defaultNonNullable: boolean },
  ) => Promise<readonly object[]>;
  readonly astToString: (nodes: readonly object[]) => string;
}

/** The parts of OpenAPI 3.1 that the admin API's description uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly description?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Described {
  readonly operationId: string;
  readonly summary?: string;
  readonly 'x-approvable'?: boolean;
  readonly 'x-role'?: string;
  readonly 'x-scopes'?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const GENERATED = '/** Written by `npm run client` from the OpenAPI description. Do not edit. */';
const SHAPES = `
/** A call that can be made; what webhooks carry has operations of its own. */
export type OperationId = Exclude<keyof operations, \`on\${Capitalize<string>}\`>;

/** One field that an operation takes: of its path, its query, or the first level of its JSON body. */
export interface Field {
  readonly name: string;
  readonly kind: 'text' | 'number' | 'flag' | 'money' | 'list' | 'json';
  readonly isRequired: boolean;
  readonly description?: string;
  /** All that it may be, where they are few. */
  readonly values?: readonly string[];
}

/** One call of the admin API, as its OpenAPI description has it. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** The URL, with \`{names}\` of {@link Operation.path} fields. */
  readonly url: string;
  readonly summary: string;
  readonly path: readonly Field[];
  readonly query: readonly Field[];
  readonly body: readonly Field[];
  /** \`items\` and \`nextCursor\`. */
  readonly isList: boolean;
  /** A second person may have to approve it. */
  readonly isApprovable: boolean;
}
`;
/** Written to a file of its own, because the console's bundle contains only this part of the table. */
const NEEDS_SHAPE = `
/** Which key a call needs: the role or a larger one and, of a key with scopes, one of these. */
export interface Needs {
  readonly role: Key['role'];
  /** \`any\`: every key has it; \`whole\`: only a key without scopes has it. */
  readonly scopes: readonly (Key['scopes'][number] | 'any' | 'whole')[];
}
`;
const JSON_TYPE = 'application/json';

/** Texts by file name. */
export async function clientSources(described: object): Promise<Readonly<Record<string, string>>> {
  const description = withoutExamples(described) as Description;
  const openapi = createRequire(__filename)('openapi-typescript') as OpenapiTypescript;
  // What has a default may be left out.
  const types = openapi.astToString(await openapi.default(description, { defaultNonNullable: false }));
  const table = JSON.stringify(operationsOf(description));
  return {
    'api.ts': await formatted('source.ts', `${GENERATED}\n\n${types}`),
    'operations.ts': await formatted(
      'source.ts',
      `${GENERATED}\nimport type { operations } from './api';\n\n${SHAPES}\n` +
        `export const OPERATIONS: Readonly<Record<OperationId, Operation>> = ${table};\n`,
    ),
    'needs.ts': await formatted(
      'source.ts',
      `${GENERATED}\nimport type { components } from './api';\nimport type { OperationId } from './operations';\n\n` +
        `type Key = components['schemas']['Key'];\n\n${NEEDS_SHAPE}\n/** Null where no key is needed. */\n` +
        `export const NEEDS: Readonly<Record<OperationId, Needs | null>> = ${JSON.stringify(needsOf(description))};\n`,
    ),
    'values.ts': await formatted(
      'source.ts',
      `${GENERATED}\n\n/** Every type of event. */\nexport const EVENT_TYPES = ${JSON.stringify(valuesOf(description, 'TestWebhookEndpoint', 'type'))} as const;\n\n` +
        `/** Every scope that a key can be restricted to. */\nexport const SCOPES = ${JSON.stringify(valuesOf(description, 'CreateKey', 'scopes'))} as const;\n`,
    ),
  };
}

/** All values of a field of a named schema. */
function valuesOf({ components }: Description, schema: string, field: string): readonly unknown[] {
  const { enum: own, items } = components.schemas[schema]?.properties?.[field] ?? {};
  const values = own ?? items?.enum;
  if (values === undefined) throw new Error(`${schema}.${field} has no list of values`);
  return values;
}

/** The types would repeat every example, which is of no use there. */
function withoutExamples(description: object): unknown {
  const hide = (key: string, value: unknown): unknown => (key === 'example' ? undefined : value);
  return JSON.parse(JSON.stringify(description, hide));
}

function operationsOf(description: Description): Record<string, Operation> {
  const entries = Object.entries(description.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, each]): [string, Operation] => [
      each.operationId,
      operationOf(description, url, method as Operation['method'], each),
    ]),
  );
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function needsOf(description: Description): Record<string, object | null> {
  const entries = Object.values(description.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, 'x-role': role, 'x-scopes': scopes }): [string, object | null] => [
      operationId,
      role === undefined ? null : { role, scopes },
    ]);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function operationOf(description: Description, url: string, method: Operation['method'], each: Described): Operation {
  const resolve = (schema: Schema | undefined) => resolveSchema(description, schema ?? {});
  const fields = (place: Parameter['in']) =>
    (each.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, schema, description }) => fieldOf(name, required === true, schema, resolve, description));
  const query = fields('query');
  const body = resolve(each.requestBody?.content?.[JSON_TYPE]?.schema);
  const [answer] = Object.keys(each.responses).filter((status) => /^20\d$/.test(status));
  const answered = resolve(each.responses[answer ?? '']?.content?.[JSON_TYPE]?.schema);
  return {
    method,
    url,
    summary: each.summary ?? '',
    path: fields('path'),
    query,
    body: Object.entries(body.properties ?? {})
      // A field that both the query and the body accept is listed in the query only.
      .filter(([name]) => query.every((field) => field.name !== name))
      .map(([name, schema]) => fieldOf(name, body.required?.includes(name) === true, schema, resolve)),
    isList: answered.properties?.['nextCursor'] !== undefined,
    isApprovable: each['x-approvable'] === true,
  };
}

type Resolve = (schema: Schema) => Schema;

/** What a reference names; of several forms the one that has fields, or the first. */
function resolveSchema(description: Description, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return resolveSchema(description, description.components.schemas[name] ?? {});
  }
  if (schema.anyOf === undefined) return schema;
  const forms = schema.anyOf.map((each) => resolveSchema(description, each));
  return forms.find(({ properties }) => properties !== undefined) ?? forms[0] ?? {};
}

function fieldOf(
  name: string,
  isRequired: boolean,
  schema: Schema,
  resolve: Resolve,
  description = schema.description,
): Field {
  const resolved = resolve(schema);
  const values = resolved.enum?.map(String);
  return {
    name,
    kind: kindOf(resolved),
    isRequired,
    ...(description === undefined ? {} : { description }),
    ...(values === undefined ? {} : { values }),
  };
}

function kindOf({ type, properties, items }: Schema): Field['kind'] {
  const [one] = [type].flat();
  if (properties?.['currency'] !== undefined && properties['value'] !== undefined) return 'money';
  if (one === 'integer' || one === 'number') return 'number';
  if (one === 'boolean') return 'flag';
  if (one === 'array' && (items === undefined || items.type === 'string')) return 'list';
  return one === 'string' ? 'text' : 'json';
}
