-- The log of what providers sent leaves by time, as the log of events does.
select partition_by_range('inbound_requests', 'id');
