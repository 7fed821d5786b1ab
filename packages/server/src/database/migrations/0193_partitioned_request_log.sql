-- The log of requests leaves by time, as the log of events does.
select partition_by_range('request_log', 'id');
