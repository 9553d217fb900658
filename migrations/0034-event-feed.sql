-- The order of the events of all organizations, for the vendor's own systems: transactions commit in another order than
-- that of the ids, so positions are given to committed events, by one transaction at a time (docs/decisions/0041). Events
-- are removed after some time; both feeds say so to readers that ask for older ones.
alter table events add column position bigint check (position > 0);
create index events_position on events (position) where position is not null;
create index events_without_position on events (id) where position is null;
create index events_at on events (at);

-- One row. removed_position is the highest position that a removed event had.
create table event_positions (
  is_only boolean primary key default true check (is_only),
  last_position bigint not null default 0,
  removed_position bigint not null default 0 check (removed_position <= last_position)
);
insert into event_positions default values;

grant select, update on event_positions to titular_system;
grant update (position), delete on events to titular_system;
