-- Up Migration

alter table attention_items add column endpoint_id text collate "C";
comment on column attention_items.endpoint_id is 'Of which dead letters; null of all else.';
comment on column attention_items.source is 'standing: of a subscription''s attention; payment, order, difference, halt, endpoint.';

insert into attention_items (item_id, source, kind, endpoint_id, since, ledger)
  select attention_id(format('endpoint/%s/dead_letter', d.endpoint_id)), 'endpoint', 'dead_letter', d.endpoint_id, now(),
    jsonb_build_object('state', 'dead', 'id', (array_agg(d.event_id order by d.delivery_id desc))[1])
  from webhook_deliveries d join merchant_events e using (event_id)
  where d.state = 'dead' and not e.is_test and not exists (
    select from webhook_deliveries l
    where l.event_id = d.event_id and l.endpoint_id = d.endpoint_id and l.state = 'delivered'
  )
  group by d.endpoint_id;

-- Down Migration

delete from attention_items where source = 'endpoint';
comment on column attention_items.source is 'standing: of a subscription''s attention; payment, order, difference, halt.';
alter table attention_items drop column endpoint_id;
