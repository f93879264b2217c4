import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'mustache';
import { LANGUAGES, type Language, PAYER_NOTICES } from '../contract/notices';
import { DUTCH } from './words/nl';
import { FRENCH } from './words/fr';
import { GERMAN } from './words/de';
import { ENGLISH, type PayerNoticeType, VARIABLES, type Words } from './words/en';

/** The templates of each language. */
export type Templates = Readonly<Record<Language, Words>>;

export const OWN_TEMPLATES: Templates = { en: ENGLISH, de: GERMAN, fr: FRENCH, nl: DUTCH };

export interface TemplateFolder {
  readonly templates: Templates;
  /** All faults, one line each, such as a file that is not a template, or uses a variable that its notice does not have. */
  readonly faults: readonly string[];
}

/** dueday's templates, overridden by files `<type>.<language>.txt` of a folder, such as `payment.failed.de.txt`. */
export function readTemplates(folder: string): TemplateFolder {
  const listed = tryReading(() => readdirSync(folder));
  if ('fault' in listed) return { templates: OWN_TEMPLATES, faults: [listed.fault] };
  const faults: string[] = [];
  let templates = OWN_TEMPLATES;
  for (const file of listed.read.filter((each) => !each.startsWith('.'))) {
    const name = FILES.get(file);
    if (name === undefined) {
      faults.push(`${file}: expected a file <type>.<language>.txt; ${EXPECTED}`);
      continue;
    }
    const template = tryReading(() => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n'));
    const found = 'fault' in template ? [template.fault] : faultsOf(name.type, template.read);
    faults.push(...found.map((fault) => `${file}: ${fault}`));
    if ('read' in template) templates = withTemplate(templates, name, template.read);
  }
  return { templates, faults };
}

const EXPECTED = `types are ${PAYER_NOTICES.join(', ')}; languages ${LANGUAGES.join(', ')}`;

function tryReading<T>(reading: () => T): { readonly read: T } | { readonly fault: string } {
  try {
    return { read: reading() };
  } catch (error) {
    return { fault: `cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unreadable'}` };
  }
}

interface TemplateName {
  readonly type: PayerNoticeType;
  readonly language: Language;
}

const FILES: ReadonlyMap<string, TemplateName> = new Map(
  LANGUAGES.flatMap((language) =>
    PAYER_NOTICES.map((type) => [`${type}.${language}.txt`, { type, language }] as const),
  ),
);

function withTemplate(templates: Templates, { type, language }: TemplateName, template: string): Templates {
  const words = templates[language];
  return { ...templates, [language]: { ...words, notices: { ...words.notices, [type]: template } } };
}

/** Variables of the payer, available in every template. */
const PAYER_VARIABLES = ['name', 'reference'];

function faultsOf(type: PayerNoticeType, template: string): readonly string[] {
  const known: readonly string[] = [...VARIABLES[type], ...PAYER_VARIABLES];
  const form = /^Subject: *\S.*\n\s*\S/.test(template) ? [] : ['expected a line "Subject: …", then text'];
  try {
    const unknown = namesIn(parse(template) as readonly Token[]).filter((name) => !known.includes(name));
    return [...form, ...unknown.map((name) => `expected one of ${known.join(', ')}; got {{${name}}}`)];
  } catch (error) {
    return [...form, `expected Mustache: ${(error as Error).message}`];
  }
}

/** A token of the template library: kind, text or name, start, end, and the content of a section. */
type Token = readonly [kind: string, value: string, start: number, end: number, inside?: readonly Token[]];

function namesIn(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap(([kind, value, , , inside]) => {
    if (kind === 'text' || kind === '!') return [];
    // Partials and other delimiters are not supported: they are reported as unknown names.
    const name = kind === '>' || kind === '=' ? `${kind} ${value}` : value;
    return [name, ...(Array.isArray(inside) ? namesIn(inside) : [])];
  });
}
