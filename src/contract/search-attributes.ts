import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { Repetition } from '../domain/subscription/schedule';
import type { Standing, SubscriptionStatus } from '../domain/subscription/state';

/** What the Temporal Web UI filters by. No personal data. All three are keywords. */
export const DUEDAY_STATUS = defineSearchAttributeKey<'KEYWORD'>('DuedayStatus', SearchAttributeType.KEYWORD);
export const DUEDAY_STANDING = defineSearchAttributeKey<'KEYWORD'>('DuedayStanding', SearchAttributeType.KEYWORD);
export const DUEDAY_REPETITION = defineSearchAttributeKey<'KEYWORD'>('DuedayRepetition', SearchAttributeType.KEYWORD);

export const SEARCH_ATTRIBUTES = [DUEDAY_STATUS, DUEDAY_STANDING, DUEDAY_REPETITION];

export interface Marks {
  readonly status: SubscriptionStatus;
  readonly standing: Standing;
  readonly repetition: Repetition;
}
