/** The parts of JSON Schema that the description of the admin API uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  /** The schema of each line of a text. */
  readonly contentSchema?: Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

type Contents = Readonly<Record<string, { readonly schema?: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly method: string;
  /** The path, with path parameters as `{name}`. */
  readonly url: string;
  /** The smallest role that may call it; null if it needs no key. */
  readonly role: string | null;
  readonly parameters: readonly Parameter[];
  /** The bodies by media type; empty if it takes none. */
  readonly bodies: Contents;
  /** The responses by status, or by a class of statuses such as `4XX`. */
  readonly answers: Readonly<Record<string, { readonly content?: Contents }>>;
}

/** What `GET /openapi.json` answers. */
export interface Description {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly operations: readonly Operation[];
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly operationId: string;
            readonly 'x-role'?: string;
            readonly parameters?: readonly Parameter[];
            readonly requestBody?: { readonly content?: Contents };
            readonly responses: Operation['answers'];
          }
        >
      >
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export function readDescription(text: string): Description {
  const { paths, components } = JSON.parse(text) as Document;
  const operations = Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, each]) => ({
      operationId: each.operationId,
      method: method.toUpperCase(),
      url,
      role: each['x-role'] ?? null,
      parameters: each.parameters ?? [],
      bodies: each.requestBody?.content ?? {},
      answers: each.responses,
    })),
  );
  return { schemas: components.schemas, operations };
}
