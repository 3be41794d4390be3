"""What reading asks of an entry, as two columns that PostgreSQL computes from its record and settlement, and indexes.

Figures over a hundred thousand entries then read narrow indexes, session by session, and no JSON of a whole settlement.
Being generated, the columns cannot say anything else than the entry. The functions are plpgsql, which keeps its plans:
SQL functions would be planned anew by every INSERT.
"""

from django.db import migrations

FORWARD = [
    # How a record marks a hand that was played (a penalty is none): a bit for each seat that won it, an opening win
    # left out, and 16 times the seat that gave the tile, counted from 1.
    """
    CREATE FUNCTION ledger_marks(record jsonb, settlement jsonb) RETURNS smallint
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN
        IF record->>'kind' IN ('win', 'opening', 'exhausted') THEN
            RETURN coalesce(((record->>'from')::int + 1) * 16, 0) + coalesce((
                SELECT bit_or(1 << seat::int)
                FROM jsonb_path_query(settlement, '$.wins[*] ? (@.size != "opening").seat') seat
            ), 0);
        END IF;
        RETURN NULL;
    END $$
    """,
    # Who won what and who paid whom (payer, payee, points; the house is seat 4), as the text of a JSON object: equal
    # outcomes are counted before any of them is read, and text is told apart fastest.
    """
    CREATE FUNCTION ledger_outcome(settlement jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
    BEGIN RETURN (
        SELECT jsonb_build_object(
            'wins', (
                SELECT coalesce(jsonb_agg(jsonb_build_object(
                    'seat', win->'seat',
                    'size', win->'size',
                    'points', (
                        SELECT coalesce(sum((transfer->>'points')::bigint), 0)
                        FROM jsonb_path_query(settlement, '$.transfers[*]') transfer
                        WHERE transfer->'to' = win->'seat'
                    ),
                    'patterns', jsonb_path_query_array(win, '$.patterns[*].id')
                )), '[]') FROM jsonb_path_query(settlement, '$.wins[*]') win
            ),
            'flows', (
                SELECT coalesce(jsonb_agg(jsonb_build_array(
                    transfer->'from',
                    CASE transfer->>'to' WHEN 'house' THEN '4' ELSE transfer->'to' END,
                    transfer->'points'
                )), '[]') FROM jsonb_path_query(settlement, '$.transfers[*]') transfer
            )
        )::text
    ); END $$
    """,
    """
    ALTER TABLE ledger_entry
        ADD COLUMN marks smallint GENERATED ALWAYS AS (ledger_marks(record, settlement)) STORED,
        ADD COLUMN outcome text GENERATED ALWAYS AS (ledger_outcome(settlement)) STORED
    """,
    """
    CREATE INDEX ledger_entry_read_hands ON ledger_entry (club_id, session_id, hand_no, seated_at)
        INCLUDE (id, marks) WHERE kind = 'hand'
    """,
    """
    CREATE INDEX ledger_entry_read_outcomes ON ledger_entry (club_id, session_id, seated_at)
        INCLUDE (id, seq, outcome) WHERE kind = 'hand'
    """,
    """
    CREATE INDEX ledger_leg_read ON ledger_leg (club_id, session_id, player_id) INCLUDE (points, cash)
    """,
]
BACK = [
    "DROP INDEX ledger_leg_read",
    "ALTER TABLE ledger_entry DROP COLUMN outcome, DROP COLUMN marks",
    "DROP FUNCTION ledger_outcome(jsonb)",
    "DROP FUNCTION ledger_marks(jsonb, jsonb)",
]


class Migration(migrations.Migration):
    dependencies = [("ledger", "0002_invariants")]
    operations = [migrations.RunSQL(FORWARD, BACK)]
