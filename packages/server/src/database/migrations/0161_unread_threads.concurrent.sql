-- Threads by their last message, and those that nobody has read first. Threads of before count as read.
create index concurrently if not exists conversations_last_message_at on conversations (tenant_id, ((record ->> 'lastMessageAt') collate "C"), id);
create index concurrently if not exists conversations_is_unread on conversations (tenant_id, ((coalesce(record ->> 'isUnread', 'false'))::boolean), id);
