-- Up Migration

-- What a subscription was frozen with names no gap: six hours, or the smallest distance that its plan has, if that is less.
update subscriptions s set retry_policy = s.retry_policy || jsonb_build_object('gap', least(21600000, (
  select min(distance) from (
    select planned.at - lag(planned.at, 1, 0) over (order by planned.at) as distance
    from (select each::numeric as at from jsonb_array_elements_text(s.retry_policy -> 'offsets') as each) as planned
  ) as distances
)))
where s.retry_policy is not null and not s.retry_policy ? 'gap';
comment on column subscriptions.retry_policy is 'Offsets, transit margin and the least time between two attempts in ms, frozen when it was created; null for one created before they were kept.';

-- Down Migration

update subscriptions set retry_policy = retry_policy - 'gap' where retry_policy ? 'gap';
comment on column subscriptions.retry_policy is 'Offsets and transit margin in ms, frozen when it was created; null for one created before they were kept.';
