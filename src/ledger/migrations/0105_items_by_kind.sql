-- Up Migration

-- Items that may have one cause are counted without reading those that are closed.
create index concurrently attention_items_open_by_kind on attention_items (kind, source) where closed_real_at is null;

-- Down Migration

drop index attention_items_open_by_kind;
