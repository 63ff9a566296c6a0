import pytest

from jobsim.joblog.sqldump.dialects import MYSQL, POSTGRES, SQLITE, TSQL, dialect_of


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        ("-- MySQL dump 10.13", MYSQL),
        ("/*M!999999\\- enable the sandbox mode */\n", MYSQL),
        ("-- phpMyAdmin SQL Dump", MYSQL),
        ("CREATE TABLE t (\n a int\n) ENGINE=InnoDB;", MYSQL),
        ("INSERT INTO `t` VALUES (1);", MYSQL),
        ("--\n-- PostgreSQL database dump\n--", POSTGRES),
        ("COPY public.t (a, b) FROM stdin;\n1\t2\n\\.\n", POSTGRES),
        ("INSERT INTO t VALUES (1);", POSTGRES),
        ("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;", SQLITE),
        ("USE [Shop]\nGO\nINSERT [dbo].[t] ([a]) VALUES (1)", TSQL),
    ],
)
def test_a_dump_says_what_wrote_it(text, dialect):
    assert dialect_of(text) is dialect


@pytest.mark.parametrize(
    ("dialect", "statement"),
    [
        (MYSQL, r"INSERT INTO t VALUES ('a\';b', ';'';', \";\", `;`) # ;"),
        (MYSQL, "SELECT 5--3 -- ;\n"),
        (POSTGRES, r"INSERT INTO t VALUES ('a\', E'b\';', ';''')"),
        (POSTGRES, "CREATE FUNCTION f() AS $x$ a; $$ b; $$ $x$"),
        (POSTGRES, 'SELECT data #> \'{a;}\', "a;""b"'),
        (SQLITE, "INSERT INTO [a;b] VALUES('c\\',';')"),
        (TSQL, "INSERT [a;]]b] VALUES (N';''')"),
        (MYSQL, "/*!40000 ALTER TABLE t; */"),
    ],
)
def test_a_semicolon_in_a_string_a_name_or_a_comment_ends_nothing(dialect, statement):
    text = statement.replace('\\"', '"') + "\n;next;"
    assert dialect.statement.match(text)[0] == text.removesuffix("next;")
