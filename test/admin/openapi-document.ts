/** The parts of the published description that its tests read. */
export interface OpenApiDocument {
  readonly info: {
    readonly contact?: object;
    readonly license?: { readonly name: string; readonly identifier?: string };
  };
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly webhooks: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly 'x-approvable'?: boolean;
  readonly 'x-role'?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  /** The responses by status. */
  readonly responses: Readonly<Record<string, Answered>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
}

interface Answered {
  readonly description: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

/** Bodies by media type. */
type Content = Readonly<Record<string, Described>>;

export interface Described {
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly maximum?: number;
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
}

/** An operation and its HTTP method, in lower case. */
export interface Call extends Operation {
  readonly method: string;
}

export function callsIn(paths: Paths): readonly Call[] {
  return Object.values(paths).flatMap((methods) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method })),
  );
}
