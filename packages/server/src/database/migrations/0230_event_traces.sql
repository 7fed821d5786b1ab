-- A trace goes on from the request that made an event to the attempts to deliver it, on whichever node: the event keeps
-- the `traceparent` of its commit while traces are sent, and nothing otherwise.
alter table events add column traceparent text;
