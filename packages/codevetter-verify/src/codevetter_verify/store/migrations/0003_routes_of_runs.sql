-- For the receipt and the audit of a run whose process is killed: who asked, which routes were planned, and what
-- each was judged as so far.
ALTER TABLE active_runs ADD COLUMN face TEXT;
ALTER TABLE active_runs ADD COLUMN routes TEXT;
