import { parse } from 'node:querystring';
import { z } from 'zod';
import type { Instant } from '../../domain/time';
import { SORTS } from '../../ledger';
import { checkSpan, InstantIn, line, MetadataIn, PAGE_FIELDS } from './fields';

/** What subscriptions and payments alike can be chosen by. */
export const LIST_FILTERS = {
  createdFrom: InstantIn.meta({ description: 'Inclusive' }).optional(),
  createdTo: InstantIn.meta({ description: 'Exclusive' }).optional(),
  dueFrom: InstantIn.meta({ description: 'Inclusive' }).optional(),
  dueTo: InstantIn.meta({ description: 'Exclusive' }).optional(),
  metadata: MetadataIn.meta({
    style: 'deepObject',
    explode: true,
    description: 'All of these pairs, each as metadata[key]=value',
  }).optional(),
  q: line(200).optional(),
};

/** What the lists of subscriptions and of payments have in common. */
export const LIST_FIELDS = {
  ...PAGE_FIELDS,
  ...LIST_FILTERS,
  sort: z
    .enum(SORTS)
    .default('-createdAt')
    .meta({ description: 'The latest first where there is a hyphen. By dueAt, only those that have one are listed' }),
};

/** Finds the spans that end before they begin. */
export function checkSpans(query: Partial<Record<SpanEnd, Instant | undefined>>, context: z.core.$RefinementCtx): void {
  for (const span of SPANS) checkSpan(query, span, context);
}

const SPANS = [
  ['createdFrom', 'createdTo'],
  ['dueFrom', 'dueTo'],
] as const;
type SpanEnd = (typeof SPANS)[number][number];

const METADATA_KEY = /^metadata\[(.+)\]$/s;

/** A query's fields, with those of the form `metadata[key]` as one field `metadata`. */
export function parseQuery(text: string): Record<string, unknown> {
  const fields = withoutPrototype();
  const metadata = withoutPrototype();
  for (const [name, value] of Object.entries(parse(text))) {
    const key = METADATA_KEY.exec(name)?.[1];
    if (key === undefined || key === '__proto__') fields[name] = value;
    else metadata[key] = value;
  }
  if (Object.keys(metadata).length > 0) fields['metadata'] ??= metadata;
  return fields;
}

/** Takes any name as one of its own. */
function withoutPrototype(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
