-- Calls of models are kept as long as events, and found by their age.
create index model_calls_age on model_calls (id);
