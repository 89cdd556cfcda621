-- A small database as the last release before jobs, studies and study kinds wrote it: made-up data.
-- Tables: the migrations accounts 0003, annotation 0007, benchmarks 0004, graphs 0003.

INSERT INTO accounts_user
    (id, email, name, password, is_active, is_researcher, is_administrator, is_simulated, created_at, session_epoch) VALUES
    ('aaaaaaaa-0000-4000-8000-000000000001', 'carla@example.org', 'Carla', '!', true, true, false, false, '2026-03-01 10:00:00+00', 0),
    ('aaaaaaaa-0000-4000-8000-000000000002', 'erik@example.org', 'Erik Ø.', '!', true, false, false, false, '2026-03-01 10:00:00+00', 2),
    ('aaaaaaaa-0000-4000-8000-000000000003', 'dana@example.org', 'Dana', '!', false, false, false, false, '2026-03-01 10:00:00+00', 0);

INSERT INTO accounts_invitation
    (id, email, role, token_hash, created_at, expires_at, revoked_at, accepted_at, accepted_by_id, invited_by_id, mailed_hash) VALUES
    ('dddddddd-0000-4000-8000-000000000021', 'erik@example.org', 'expert', '1111111111111111111111111111111111111111111111111111111111111111', '2026-03-01 10:00:00+00', '2026-03-09 10:00:00+00', NULL, '2026-03-02 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000002', 'aaaaaaaa-0000-4000-8000-000000000001', '2222222222222222222222222222222222222222222222222222222222222222'),
    ('dddddddd-0000-4000-8000-000000000022', 'open@example.org', 'expert', '3333333333333333333333333333333333333333333333333333333333333333', '2026-03-01 10:00:00+00', '2026-03-09 10:00:00+00', NULL, NULL, NULL, 'aaaaaaaa-0000-4000-8000-000000000001', NULL);

INSERT INTO graphs_graph
    (id, name, slug, visibility, description, licence, citation, source_url, is_demo, created_at, owner_id) VALUES
    ('ffffffff-0000-4000-8000-000000000001', 'Old graph', 'old-graph', 'study', '', '', '', '', false, '2026-03-01 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000001');

INSERT INTO graphs_version
    (id, snapshot, number, entities, edges, types, relations, report, created_at, ready_at, created_by_id, graph_id) VALUES
    (7, '0123456789abcdef0123456789abcdef', 1, 2, 1, '{"Drug": 1, "Disease": 1}', '{"treats": 1}', '{}', '2026-03-01 10:00:00+00', '2026-03-01 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000001', 'ffffffff-0000-4000-8000-000000000001');

INSERT INTO graphs_graphshare
    (id, study, created_at, graph_id) VALUES
    (1, 'dddddddd-0000-4000-8000-000000000001', '2026-03-02 10:00:00+00', 'ffffffff-0000-4000-8000-000000000001'),
    (2, 'dddddddd-0000-4000-8000-000000000099', '2026-03-02 10:00:00+00', 'ffffffff-0000-4000-8000-000000000001');

INSERT INTO benchmarks_questionset
    (id, name, is_demo, created_at, created_by_id) VALUES
    ('bbbbbbbb-0000-4000-8000-000000000001', 'Old questions', false, '2026-03-01 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000001'),
    ('bbbbbbbb-0000-4000-8000-000000000002', 'Other questions', false, '2026-03-01 10:00:00+00', NULL);

INSERT INTO benchmarks_question
    (id, file_id, number, text, category, question_set_id, pattern_type) VALUES
    ('bbbbbbbb-0000-4000-8000-000000000011', '0', 1, 'Which drug helps? ', 'neurology', 'bbbbbbbb-0000-4000-8000-000000000001', ''),
    ('bbbbbbbb-0000-4000-8000-000000000012', '1', 2, '=1+1', '', 'bbbbbbbb-0000-4000-8000-000000000001', ''),
    ('bbbbbbbb-0000-4000-8000-000000000013', '2', 3, 'Third «question»', 'heart', 'bbbbbbbb-0000-4000-8000-000000000001', ''),
    ('bbbbbbbb-0000-4000-8000-000000000014', 'x', 1, 'Alone', '', 'bbbbbbbb-0000-4000-8000-000000000002', '');

INSERT INTO benchmarks_candidate
    (id, position, name, link, prior_rank, question_id, identifier) VALUES
    ('cccccccc-0000-4000-8000-000000000001', 0, 'Aspirin', 'https://example.org/a', 1, 'bbbbbbbb-0000-4000-8000-000000000011', 'X:1'),
    ('cccccccc-0000-4000-8000-000000000002', 1, 'Benzo', '', 1, 'bbbbbbbb-0000-4000-8000-000000000011', ''),
    ('cccccccc-0000-4000-8000-000000000003', 2, '@Cortisone', '', 3, 'bbbbbbbb-0000-4000-8000-000000000011', ''),
    ('cccccccc-0000-4000-8000-000000000004', 0, 'one', '', 1, 'bbbbbbbb-0000-4000-8000-000000000012', ''),
    ('cccccccc-0000-4000-8000-000000000005', 1, 'two', '', 2, 'bbbbbbbb-0000-4000-8000-000000000012', ''),
    ('cccccccc-0000-4000-8000-000000000006', 0, 'left', '', 1, 'bbbbbbbb-0000-4000-8000-000000000013', ''),
    ('cccccccc-0000-4000-8000-000000000007', 1, 'right', '', 4, 'bbbbbbbb-0000-4000-8000-000000000013', ''),
    ('cccccccc-0000-4000-8000-000000000008', 0, 'yes', '', 1, 'bbbbbbbb-0000-4000-8000-000000000014', ''),
    ('cccccccc-0000-4000-8000-000000000009', 1, 'no', '', 2, 'bbbbbbbb-0000-4000-8000-000000000014', '');

INSERT INTO benchmarks_resource
    (id, position, name, link, question_id) VALUES
    (1, 0, 'migraine', 'https://example.org/m', 'bbbbbbbb-0000-4000-8000-000000000011');

INSERT INTO annotation_study
    (id, name, status, is_demo, created_at, created_by_id, question_set_id, graph_version_id) VALUES
    ('dddddddd-0000-4000-8000-000000000001', 'Old study', 'open', false, '2026-03-01 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000001', 7),
    ('dddddddd-0000-4000-8000-000000000002', 'Old study, closed', 'closed', true, '2026-03-01 10:00:00+00', NULL, 'bbbbbbbb-0000-4000-8000-000000000002', NULL);

INSERT INTO annotation_member
    (id, role, consent_version, consented_at, joined_at, user_id, study_id) VALUES
    (1, 'coordinator', '', NULL, '2026-03-01 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000001', 'dddddddd-0000-4000-8000-000000000001'),
    (2, 'expert', '1', '2026-03-02 10:00:01+00', '2026-03-02 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000002', 'dddddddd-0000-4000-8000-000000000001'),
    (3, 'expert', '', NULL, '2026-03-03 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000003', 'dddddddd-0000-4000-8000-000000000001'),
    (4, 'coordinator', '', NULL, '2026-03-01 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000001', 'dddddddd-0000-4000-8000-000000000002'),
    (5, 'expert', '2', '2026-03-02 10:00:00+00', '2026-03-02 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000002', 'dddddddd-0000-4000-8000-000000000002');

INSERT INTO annotation_batch
    (id, number, name, study_id) VALUES
    ('dddddddd-0000-4000-8000-000000000011', 1, 'First', 'dddddddd-0000-4000-8000-000000000001'),
    ('dddddddd-0000-4000-8000-000000000012', 2, '', 'dddddddd-0000-4000-8000-000000000001'),
    ('dddddddd-0000-4000-8000-000000000013', 1, 'Only', 'dddddddd-0000-4000-8000-000000000002');

INSERT INTO annotation_batchquestion
    (id, batch_id, question_id) VALUES
    (1, 'dddddddd-0000-4000-8000-000000000011', 'bbbbbbbb-0000-4000-8000-000000000011'),
    (2, 'dddddddd-0000-4000-8000-000000000011', 'bbbbbbbb-0000-4000-8000-000000000012'),
    (3, 'dddddddd-0000-4000-8000-000000000012', 'bbbbbbbb-0000-4000-8000-000000000013'),
    (4, 'dddddddd-0000-4000-8000-000000000013', 'bbbbbbbb-0000-4000-8000-000000000014');

INSERT INTO annotation_studyinvitation
    (id, invitation_id, study_id) VALUES
    (1, 'dddddddd-0000-4000-8000-000000000021', 'dddddddd-0000-4000-8000-000000000001'),
    (2, 'dddddddd-0000-4000-8000-000000000022', 'dddddddd-0000-4000-8000-000000000001');

INSERT INTO annotation_studyinvitation_batches
    (id, studyinvitation_id, batch_id) VALUES
    (1, 1, 'dddddddd-0000-4000-8000-000000000011'),
    (2, 1, 'dddddddd-0000-4000-8000-000000000012'),
    (3, 2, 'dddddddd-0000-4000-8000-000000000012');

INSERT INTO annotation_assignment
    (id, created_at, expert_id, question_id, batch_id, study_id) VALUES
    ('eeeeeeee-0000-4000-8000-000000000001', '2026-03-02 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000002', 'bbbbbbbb-0000-4000-8000-000000000011', 'dddddddd-0000-4000-8000-000000000011', 'dddddddd-0000-4000-8000-000000000001'),
    ('eeeeeeee-0000-4000-8000-000000000002', '2026-03-02 10:00:01+00', 'aaaaaaaa-0000-4000-8000-000000000002', 'bbbbbbbb-0000-4000-8000-000000000012', 'dddddddd-0000-4000-8000-000000000011', 'dddddddd-0000-4000-8000-000000000001'),
    ('eeeeeeee-0000-4000-8000-000000000003', '2026-03-02 10:00:02+00', 'aaaaaaaa-0000-4000-8000-000000000002', 'bbbbbbbb-0000-4000-8000-000000000013', 'dddddddd-0000-4000-8000-000000000012', 'dddddddd-0000-4000-8000-000000000001'),
    ('eeeeeeee-0000-4000-8000-000000000004', '2026-03-03 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000003', 'bbbbbbbb-0000-4000-8000-000000000011', 'dddddddd-0000-4000-8000-000000000011', 'dddddddd-0000-4000-8000-000000000001'),
    ('eeeeeeee-0000-4000-8000-000000000005', '2026-03-03 10:00:01+00', 'aaaaaaaa-0000-4000-8000-000000000003', 'bbbbbbbb-0000-4000-8000-000000000012', 'dddddddd-0000-4000-8000-000000000011', 'dddddddd-0000-4000-8000-000000000001'),
    ('eeeeeeee-0000-4000-8000-000000000006', '2026-03-03 10:00:02+00', 'aaaaaaaa-0000-4000-8000-000000000003', 'bbbbbbbb-0000-4000-8000-000000000013', 'dddddddd-0000-4000-8000-000000000012', 'dddddddd-0000-4000-8000-000000000001'),
    ('eeeeeeee-0000-4000-8000-000000000007', '2026-03-02 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000002', 'bbbbbbbb-0000-4000-8000-000000000014', 'dddddddd-0000-4000-8000-000000000013', 'dddddddd-0000-4000-8000-000000000002');

INSERT INTO annotation_response
    (id, ranking, confidence, reasons, comment, unsure_reason, active_ms, state, version, updated_at, submitted_number, submitted_state, submitted_at, answer_ms, assignment_id) VALUES
    (1, '[["cccccccc-0000-4000-8000-000000000003"], ["cccccccc-0000-4000-8000-000000000002"], ["cccccccc-0000-4000-8000-000000000001"]]', 4, '{new_to_me,implausible}', 'a draft on top of it', '', 9100, 'draft', 4, '2026-03-05 10:00:00+00', 2, 'changed', '2026-03-04 12:00:00.000123+00', 5100, 'eeeeeeee-0000-4000-8000-000000000001'),
    (2, '[["cccccccc-0000-4000-8000-000000000004"], ["cccccccc-0000-4000-8000-000000000005"]]', NULL, '{}', '', 'too_close', 700, 'not_sure', 1, '2026-03-04 10:00:00+00', 1, 'not_sure', '2026-03-04 10:00:00+00', 700, 'eeeeeeee-0000-4000-8000-000000000002'),
    (3, '[["cccccccc-0000-4000-8000-000000000006"], ["cccccccc-0000-4000-8000-000000000007"]]', NULL, '{}', '', '', 10, 'skipped', 1, '2026-03-04 10:00:00+00', 1, 'skipped', '2026-03-04 10:00:00+00', NULL, 'eeeeeeee-0000-4000-8000-000000000003'),
    (4, '[["cccccccc-0000-4000-8000-000000000001", "cccccccc-0000-4000-8000-000000000002"], ["cccccccc-0000-4000-8000-000000000003"]]', NULL, '{}', '', '', 300, 'untouched', 0, '2026-03-04 10:00:00+00', 0, '', NULL, NULL, 'eeeeeeee-0000-4000-8000-000000000004'),
    (5, '[["cccccccc-0000-4000-8000-000000000005"], ["cccccccc-0000-4000-8000-000000000004"]]', 5, '{}', '=not a formula', '', 50, 'draft', 2, '2026-03-04 10:00:00+00', 0, '', NULL, NULL, 'eeeeeeee-0000-4000-8000-000000000005'),
    (6, '[["cccccccc-0000-4000-8000-000000000008"], ["cccccccc-0000-4000-8000-000000000009"]]', 1, '{well_known}', '', '', 1000, 'confirmed', 1, '2026-03-03 10:00:00+00', 1, 'confirmed', '2026-03-03 10:00:00+00', 1000, 'eeeeeeee-0000-4000-8000-000000000007');

INSERT INTO annotation_revision
    (id, ranking, confidence, reasons, comment, unsure_reason, active_ms, number, state, submitted_at, response_id) VALUES
    (1, '[["cccccccc-0000-4000-8000-000000000001", "cccccccc-0000-4000-8000-000000000002"], ["cccccccc-0000-4000-8000-000000000003"]]', 5, '{}', '', '', 5100, 1, 'confirmed', '2026-03-04 11:00:00+00', 1),
    (2, '[["cccccccc-0000-4000-8000-000000000003"], ["cccccccc-0000-4000-8000-000000000001", "cccccccc-0000-4000-8000-000000000002"]]', 3, '{clinically_useful}', ' spaces kept ', '', 8000, 2, 'changed', '2026-03-04 12:00:00.000123+00', 1),
    (3, '[["cccccccc-0000-4000-8000-000000000004"], ["cccccccc-0000-4000-8000-000000000005"]]', NULL, '{}', '', 'too_close', 700, 1, 'not_sure', '2026-03-04 10:00:00+00', 2),
    (4, '[["cccccccc-0000-4000-8000-000000000006"], ["cccccccc-0000-4000-8000-000000000007"]]', NULL, '{}', '', '', 10, 1, 'skipped', '2026-03-04 10:00:00+00', 3),
    (5, '[["cccccccc-0000-4000-8000-000000000008"], ["cccccccc-0000-4000-8000-000000000009"]]', 1, '{well_known}', '', '', 1000, 1, 'confirmed', '2026-03-03 10:00:00+00', 6);

INSERT INTO annotation_event
    (id, version, place, kind, old, new, client_at, received_at, interface, actor_id, response_id) VALUES
    ('55555555-0000-4000-8000-000000000001', 1, 0, 'opened', NULL, NULL, '2026-03-04 09:59:00+00', '2026-03-04 11:00:00+00', 'browser-1', 'aaaaaaaa-0000-4000-8000-000000000002', 1),
    ('55555555-0000-4000-8000-000000000002', 1, 1, 'agreed', NULL, NULL, '2026-03-04 10:59:00+00', '2026-03-04 11:00:00+00', 'browser-1', 'aaaaaaaa-0000-4000-8000-000000000002', 1),
    ('55555555-0000-4000-8000-000000000003', 2, 0, 'moved', '[["cccccccc-0000-4000-8000-000000000001", "cccccccc-0000-4000-8000-000000000002"], ["cccccccc-0000-4000-8000-000000000003"]]', '[["cccccccc-0000-4000-8000-000000000003"], ["cccccccc-0000-4000-8000-000000000001", "cccccccc-0000-4000-8000-000000000002"]]', '1999-01-01 00:00:00+00', '2026-03-04 12:00:00+00', 'browser-1', 'aaaaaaaa-0000-4000-8000-000000000002', 1),
    ('55555555-0000-4000-8000-000000000004', 4, 0, 'comment', '""', '"a draft on top"', '2026-03-05 10:00:00+00', '2026-03-05 10:00:00+00', 'browser-2', 'aaaaaaaa-0000-4000-8000-000000000002', 1),
    ('55555555-0000-4000-8000-000000000001', 0, 0, 'opened', NULL, NULL, '2026-03-04 10:00:00+00', '2026-03-04 10:00:00+00', 'browser-1', 'aaaaaaaa-0000-4000-8000-000000000003', 4),
    ('55555555-0000-4000-8000-000000000005', 0, 1, 'evidence_viewed', NULL, '{"entity": "X:1", "ms": 1200}', '2026-03-04 10:00:00+00', '2026-03-04 10:00:01+00', 'browser-1', 'aaaaaaaa-0000-4000-8000-000000000003', 4);

INSERT INTO annotation_batchagreement
    (id, statistics, revisions, version, computed_at, batch_id) VALUES
    (1, '{"questions": 1}', 4, 3, '2026-03-05 10:00:00+00', 'dddddddd-0000-4000-8000-000000000011');

INSERT INTO graphs_graphimport
    (id, name, format, about, columns, files, origin, dry_run, state, doing, percent, seconds_left, report, lease, heartbeat, attempts, created_at, started_at, ended_at, actor_id, graph_id, version_id) VALUES
    ('11111111-0000-4000-8000-000000000001', 'Old graph', 'csv', '{"licence": "CC0"}', '{"source": "from"}', '["entities.csv", "edges.csv"]', 'upload', false, 'done', '', 100, NULL, '{"entities": 2, "edges": 1}', NULL, '2026-03-01 10:00:00+00', 1, '2026-03-01 10:00:00+00', '2026-03-01 10:00:00+00', '2026-03-01 10:00:09+00', 'aaaaaaaa-0000-4000-8000-000000000001', 'ffffffff-0000-4000-8000-000000000001', 7),
    ('11111111-0000-4000-8000-000000000002', 'Tried', '', '{}', '{}', '["all.zip"]', 'upload', true, 'done', '', 100, NULL, '{"first": {"edges": []}}', NULL, '2026-03-01 10:00:00+00', 1, '2026-03-01 11:00:00+00', '2026-03-01 10:00:00+00', '2026-03-01 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000001', NULL, NULL),
    ('11111111-0000-4000-8000-000000000003', 'Bad', '', '{}', '{}', '["notes.txt"]', 'upload', false, 'refused', '', 0, NULL, '{"error": {"code": "not_recognised", "detail": "These files are not known.", "errors": []}}', NULL, '2026-03-01 10:00:00+00', 1, '2026-03-01 12:00:00+00', '2026-03-01 10:00:00+00', '2026-03-01 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000001', NULL, NULL),
    ('11111111-0000-4000-8000-000000000004', 'Full disk', '', '{}', '{}', '["a.csv"]', 'upload', false, 'failed', '', 55, NULL, '{"error": {"code": "disk_full", "detail": "The disk is full.", "errors": []}}', NULL, '2026-03-01 10:00:00+00', 1, '2026-03-01 13:00:00+00', '2026-03-01 10:00:00+00', '2026-03-01 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000001', NULL, NULL),
    ('11111111-0000-4000-8000-000000000005', 'Cancelled', '', '{}', '{}', '["a.csv"]', 'upload', false, 'cancelled', '', 0, NULL, '{"error": {"code": "cancelled", "detail": "Cancelled by Carla. Nothing was imported.", "errors": []}}', NULL, '2026-03-01 10:00:00+00', 1, '2026-03-01 14:00:00+00', '2026-03-01 10:00:00+00', '2026-03-01 10:00:00+00', 'aaaaaaaa-0000-4000-8000-000000000001', NULL, NULL),
    ('11111111-0000-4000-8000-000000000006', 'Waiting', 'json', '{"visibility": "private"}', '{}', '["graph.json"]', 'upload', false, 'queued', '', 0, NULL, '{}', NULL, NULL, 0, '2026-03-02 10:00:00+00', NULL, NULL, 'aaaaaaaa-0000-4000-8000-000000000001', NULL, NULL),
    ('11111111-0000-4000-8000-000000000007', 'Under way', '', '{}', '{}', '["a.csv"]', 'upload', false, 'reading', 'reading a.csv', 6.5, 90, '{}', '99999999-0000-4000-8000-000000000001', '2026-03-02 10:00:00+00', 1, '2026-03-02 11:00:00+00', '2026-03-02 11:00:01+00', NULL, 'aaaaaaaa-0000-4000-8000-000000000001', NULL, NULL),
    ('11111111-0000-4000-8000-000000000008', 'By command', '', '{}', '{}', '["folder"]', 'command', false, 'building', 'building the index', 55, 9, '{}', '99999999-0000-4000-8000-000000000001', '2026-03-02 12:00:30+00', 1, '2026-03-02 12:00:00+00', '2026-03-02 12:00:01+00', NULL, NULL, NULL, NULL);

INSERT INTO benchmarks_computation
    (doing, percent, seconds_left, lease, heartbeat, attempts, created_at, started_at, ended_at, id, kind, parameters, digest, state, fault, result, actor_id, question_set_id, version_id) VALUES
    ('', 100, NULL, NULL, '2026-03-02 10:00:00+00', 1, '2026-03-02 10:00:00+00', '2026-03-02 10:00:00+00', '2026-03-02 10:00:20+00', '22222222-0000-4000-8000-000000000001', 'partition', '{"size": 1}', '1111111111111111111111111111111111111111111111111111111111111111', 'done', '', '{"partitions": 4, "calibration": {"parts": [{"name": "novelty", "told": true}]}}', 'aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000001', 7),
    ('', 0, NULL, NULL, '2026-03-02 10:00:00+00', 1, '2026-03-02 11:00:00+00', '2026-03-02 10:00:00+00', '2026-03-02 11:00:05+00', '22222222-0000-4000-8000-000000000002', 'transition', '{"hops": 3}', '2222222222222222222222222222222222222222222222222222222222222222', 'failed', 'The snapshot file is missing.', '{}', 'aaaaaaaa-0000-4000-8000-000000000001', NULL, 7),
    ('', 10, NULL, NULL, '2026-03-02 10:00:00+00', 1, '2026-03-02 12:00:00+00', '2026-03-02 10:00:00+00', '2026-03-02 12:00:05+00', '22222222-0000-4000-8000-000000000003', 'embedding', '{"method": "gcn"}', '3333333333333333333333333333333333333333333333333333333333333333', 'cancelled', '', '{}', 'aaaaaaaa-0000-4000-8000-000000000001', NULL, 7),
    ('', 0, NULL, NULL, NULL, 0, '2026-03-02 13:00:00+00', NULL, NULL, '22222222-0000-4000-8000-000000000004', 'scoring', '{"size": 1}', '4444444444444444444444444444444444444444444444444444444444444444', 'queued', '', '{}', 'aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000001', 7),
    ('training', 28, 60, '99999999-0000-4000-8000-000000000001', '2026-03-02 10:00:00+00', 1, '2026-03-02 14:00:00+00', '2026-03-02 14:00:01+00', NULL, '22222222-0000-4000-8000-000000000005', 'embedding', '{"method": "gcn"}', '5555555555555555555555555555555555555555555555555555555555555555', 'running', '', '{}', NULL, NULL, 7);
