import pytest

from jobsim.errors import LogError, UsageError
from jobsim.joblog.queues import looks_like_dump, read_dump
from jobsim.joblog.reading import Reading

MYSQLDUMP = r"""-- MariaDB dump 10.19  Distrib 10.11.6-MariaDB, for debian-linux-gnu (x86_64)
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS `posts`;
CREATE TABLE `posts` (
  `id` int(11) NOT NULL, -- a comment; with a semicolon
  `body` text DEFAULT ';',
  PRIMARY KEY (`id`)
) ENGINE=InnoDB;
INSERT INTO `posts` VALUES (1,'CREATE TABLE `x` (a);\nINSERT INTO `jobs` VALUES (1);');
CREATE TABLE `wp_actionscheduler_actions` (
  `action_id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `hook` varchar(191) NOT NULL,
  `status` varchar(20) NOT NULL,
  `scheduled_date_gmt` datetime DEFAULT '0000-00-00 00:00:00',
  `schedule` longtext DEFAULT NULL,
  PRIMARY KEY (`action_id`),
  KEY `hook` (`hook`,`status`)
) ENGINE=InnoDB AUTO_INCREMENT=3;
/*!40000 ALTER TABLE `wp_actionscheduler_actions` DISABLE KEYS */;
INSERT INTO `wp_actionscheduler_actions` VALUES
(1,'mail','complete','2026-03-01 10:00:00','O:30:\"A\":2:{s:22:\"\0*\0ts\";i:1;}'),
(2,'it\'s; (odd)','failed','2026-03-01 10:01:00',NULL);
CREATE TABLE `wp_actionscheduler_logs` (
  `log_id` bigint(20), `action_id` bigint(20), `message` text, `log_date_gmt` datetime
) ENGINE=InnoDB;
INSERT INTO `wp_actionscheduler_logs` VALUES (1,1,'action created','2026-03-01 09:00:00');
INSERT IGNORE INTO `wp_actionscheduler_logs` VALUES
(2,1,'action started via WP Cron','2026-03-01 10:00:04'),
(3,1,'action complete via WP Cron','2026-03-01 10:00:09');
DELIMITER ;;
CREATE TRIGGER t BEFORE INSERT ON posts FOR EACH ROW BEGIN
INSERT INTO `wp_actionscheduler_logs` VALUES (4,2,'action started','2026-03-01 10:00:04');
END ;;
DELIMITER ;
"""

PG_DUMP = r"""--
-- PostgreSQL database dump
--
\restrict 5aBc
SET standard_conforming_strings = on;
CREATE TABLE public.oban_jobs (
    id bigint NOT NULL,
    state public.oban_job_state DEFAULT 'available'::public.oban_job_state NOT NULL,
    worker text NOT NULL,
    args jsonb,
    attempt integer DEFAULT 0 NOT NULL,
    inserted_at timestamp without time zone NOT NULL,
    scheduled_at timestamp without time zone NOT NULL,
    attempted_at timestamp without time zone,
    completed_at timestamp without time zone,
    CONSTRAINT attempt_range CHECK (((attempt >= 0) AND (attempt <= 20)))
);
CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN; INSERT INTO public.oban_jobs VALUES (9); END; $$;
%s
\unrestrict 5aBc
"""
INSERTS = """
INSERT INTO public.oban_jobs VALUES (1, 'completed', 'Mailer', '{"a": "it''s; \\"x\\""}', 1,
 '2026-03-01 10:00:00.5', '2026-03-01 10:00:00.5',
 '2026-03-01 10:00:02.5', '2026-03-01 10:00:09.5');
INSERT INTO public.oban_jobs VALUES (2, 'discarded', E'Mail\\ter', NULL, 1,
 '2026-03-01 10:00:01'::timestamp, '2026-03-01 10:00:01', NULL, NULL);
"""
COPY = """
COPY public.oban_jobs (id, state, worker, args, attempt, inserted_at, scheduled_at, attempted_at, completed_at) FROM stdin;
1\tcompleted\tMailer\t{"a": "\\\\n;"}\t1\t2026-03-01 10:00:00.5\t2026-03-01 10:00:00.5\t2026-03-01 10:00:02.5\t2026-03-01 10:00:09.5
2\tdiscarded\tMail\\ter\t\\N\t1\t2026-03-01 10:00:01\t2026-03-01 10:00:01\t\\N\t\\N
\\.
"""  # noqa: E501


def test_a_mysqldump_with_a_known_system_is_read(file):
    path = file("shop.sql.gz", MYSQLDUMP)
    log = read_dump(path)
    assert list(log.jobs["kind"]) == ["mail", "it's; (odd)"]
    assert list(log.jobs["start_s"].fillna(-1)) == [4, -1]
    assert list(log.jobs["run_s"].fillna(-1)) == [5, -1]
    assert log.name == "shop"


@pytest.mark.parametrize("rows", [INSERTS, COPY])
def test_a_pg_dump_is_read_with_inserts_and_with_copy(file, rows):
    log = read_dump(file("app.sql", PG_DUMP % rows))
    assert list(log.jobs["kind"]) == ["Mailer", "Mail er"]
    assert list(log.jobs["run_s"].fillna(-1)) == [7, -1]
    assert list(log.jobs["outcome"]) == ["completed", "failed"]


def test_a_script_of_sql_server_is_read(file):
    script = """USE [Shop]
GO
CREATE TABLE [HangFire].[Job](
\t[Id] [bigint] IDENTITY(1,1) NOT NULL,
\t[StateName] [nvarchar](20) NULL,
\t[InvocationData] [nvarchar](max) NOT NULL,
\t[CreatedAt] [datetime] NOT NULL,
 CONSTRAINT [PK_Job] PRIMARY KEY CLUSTERED ([Id] ASC)
) ON [PRIMARY]
GO
INSERT [HangFire].[Job] ([Id], [StateName], [InvocationData], [CreatedAt]) VALUES (1, N'Failed', \
N'{"t":"A.B","m":"It''s;"}', CAST(N'2026-03-01T10:00:00.003' AS DateTime))
GO
INSERT [HangFire].[State] ([Id], [JobId], [Name], [CreatedAt], [Data]) VALUES (1, 1, N'Processing',\
 CAST(N'2026-03-01T10:00:01.003' AS DateTime), NULL)
INSERT [HangFire].[State] ([Id], [JobId], [Name], [CreatedAt], [Data]) VALUES (2, 1, N'Failed', \
CAST(N'2026-03-01T10:00:03.003' AS DateTime), NULL)
GO
"""
    path = file("script.sql", script.replace("\n", "\r\n").encode("utf-16"))
    assert looks_like_dump(path.read_bytes())
    (one,) = read_dump(path).jobs.itertuples()
    assert (one.kind, one.start_s, one.run_s, one.outcome) == ("A.B.It's;", 1, 2, "failed")


def test_a_dump_of_sqlite_is_read(file):
    path = file(
        "app.sql",
        "PRAGMA foreign_keys=OFF;",
        "BEGIN TRANSACTION;",
        'CREATE TABLE IF NOT EXISTS "solid_queue_jobs" ("id" integer PRIMARY KEY, "class_name"'
        ' varchar, "created_at" datetime(6), "scheduled_at" datetime(6), "finished_at" datetime);',
        r"INSERT INTO solid_queue_jobs VALUES(1,'C:\',"
        "'2026-03-01 10:00:00',NULL,'2026-03-01 10:00:09');",
        "COMMIT;",
    )
    assert list(read_dump(path).jobs["kind"]) == ["C:\\"]


def test_a_dump_without_a_known_system_lists_its_tables(file):
    path = file("a.sql", "CREATE TABLE `orders` (`id` int);", "CREATE TABLE `t` (`id` int);")
    with pytest.raises(LogError, match=r"but orders, t; say which table"):
        read_dump(path)


def test_a_plain_table_of_a_dump_is_read_as_the_user_says(file):
    path = file(
        "a.sql",
        "CREATE TABLE `runs` (`came` datetime, `took` double, `what` varchar(9));",
        "INSERT INTO `runs` VALUES ('2026-03-01 10:00:00',4.5,'a'),('2026-03-01 10:01:00',-0,'b');",
    )
    said = Reading(
        table="runs", columns={"submit": "came", "run": "took", "kind": "what"}, zone="UTC"
    )
    assert list(read_dump(path, said).jobs["kind"]) == ["a", "b"]
    with pytest.raises(UsageError, match="did you mean runs"):
        read_dump(path, Reading(table="run"))


def test_computed_cells_are_noted(file, reasons):
    path = file(
        "a.sql",
        "INSERT INTO `django_q_task` (`id`,`func`,`started`,`stopped`,`success`) VALUES"
        " ('a','f','2026-03-01 10:00:00',NOW(),b'1');",
    )
    log = read_dump(path)
    assert reasons(log)["mended: a cell of 'django_q_task' that is computed, left missing"] == 1
    assert log.jobs["outcome"][0] == "completed"
