"""The catalogue of the Parallel Workloads Archive, whose logs can be fetched by name.

The archive (D. Feitelson and others, The Hebrew University of Jerusalem) keeps logs of parallel
machines in the Standard Workload Format. Where it keeps a cleaned version of a log (``-cln``,
without the flurries of single users), that one is listed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from jobsim.errors import UsageError
from jobsim.joblog.faultlist import shown
from jobsim.words import closest

ARCHIVE_URL = "https://www.cs.huji.ac.il/labs/parallel/workload/"
PACKED = ".swf.gz"


@dataclass(frozen=True, slots=True)
class ArchiveLog:
    """A log of the archive.

    Attributes
    ----------
    name
        What jobsim calls it.
    stem
        What the archive calls it: its file's name without ``.swf.gz``.
    folder
        Where its file and its page are, under the archive's address.
    what
        The machine, for people.
    jobs
        How many jobs its file has, or None where that was not to be established.
    sha256
        The digest of its file, or None where none was to be established.
    """

    name: str
    stem: str
    folder: str
    what: str
    jobs: int | None = None
    sha256: str | None = None

    @property
    def file(self) -> str:
        """Its file's name."""
        return self.stem + PACKED

    @property
    def since(self) -> int:
        """The year in its name, in which it begins or was handed in."""
        return int(re.findall(r"-(\d{4})-", self.stem)[-1])

    def url(self, archive: str = ARCHIVE_URL) -> str:
        """The address of its file in the archive, or in a mirror of it."""
        return f"{archive.rstrip('/')}/{self.folder}/{self.file}"

    @property
    def page(self) -> str:
        """The address of its page, which says where it comes from and how to acknowledge it."""
        return f"{ARCHIVE_URL}{self.folder}/index.html"


TABLE = """
nasa-ipsc        NASA-iPSC-1993-3.1-cln    nasa_ipsc        18239 Intel iPSC/860, NASA Ames
lanl-cm5         LANL-CM5-1994-4.1-cln     lanl_cm5        122060 Connection Machine 5, Los Alamos
sdsc-par-1995    SDSC-Par-1995-3.1-cln     sdsc_par             - Intel Paragon, San Diego
sdsc-par-1996    SDSC-Par-1996-3.1-cln     sdsc_par             - Intel Paragon, San Diego
ctc-sp2-1995     CTC-SP2-1995-2            ctc_sp2          75944 IBM SP2, Cornell
ctc-sp2-1996     CTC-SP2-1996-3.1-cln      ctc_sp2          77222 IBM SP2, Cornell
llnl-t3d         LLNL-T3D-1996-2           llnl_t3d             - Cray T3D, Livermore
kth-sp2          KTH-SP2-1996-2.1-cln      kth_sp2          28476 IBM SP2, KTH Stockholm
sdsc-sp2         SDSC-SP2-1998-4.2-cln     sdsc_sp2         59715 IBM SP2, San Diego
lanl-o2k         LANL-O2K-1999-2           lanl_o2k             - SGI Origin 2000s, Los Alamos
osc-clust        OSC-Clust-2000-3.1-cln    osc                  - Linux cluster, Ohio
sdsc-blue        SDSC-BLUE-2000-4.2-cln    sdsc_blue       243306 IBM SP Blue Horizon, San Diego
sandia-ross      Sandia-Ross-2001-1.1-cln  sandia_ross          - Ross cluster, Sandia Labs
hpc2n            HPC2N-2002-2.2-cln        hpc2n           202871 Seth cluster, HPC2N Umea
das2-fs0         DAS2-fs0-2003-1           das2            225711 DAS-2, Vrije Univ. Amsterdam
das2-fs1         DAS2-fs1-2003-1           das2             40315 DAS-2, Leiden
das2-fs2         DAS2-fs2-2003-1           das2             66429 DAS-2, Univ. of Amsterdam
das2-fs3         DAS2-fs3-2003-1           das2             66737 DAS-2, Delft
das2-fs4         DAS2-fs4-2003-1           das2             33795 DAS-2, Utrecht
sdsc-ds          SDSC-DS-2004-2.1-cln      sdsc_ds              - IBM DataStar, San Diego
lpc-egee         LPC-EGEE-2004-1.2-cln     lpc                  - EGEE grid, LPC Clermont-Ferrand
lcg              LCG-2005-1                lcg             188041 Computing grid of the LHC
sharcnet         SHARCNET-2005-2           sharcnet             - SHARCNET clusters, Ontario
sharcnet-whale   SHARCNET-Whale-2006-2     sharcnet             - Whale cluster, Ontario
llnl-ubgl        LLNL-uBGL-2006-2          llnl_ubgl            - small Blue Gene/L, Livermore
llnl-atlas       LLNL-Atlas-2006-2.1-cln   llnl_atlas           - Atlas cluster, Livermore
llnl-thunder     LLNL-Thunder-2007-1.1-cln llnl_thunder         - Thunder cluster, Livermore
ciemat-euler     CIEMAT-Euler-2008-1       ciemat_euler         - Euler cluster, CIEMAT Madrid
anl-intrepid     ANL-Intrepid-2009-1       anl_int              - Blue Gene/P Intrepid, Argonne
metacentrum-2009 METACENTRUM-2009-2        metacentrum     103656 Czech national grid
pik-iplex        PIK-IPLEX-2009-1          pik_iplex            - IBM iDataPlex, PIK Potsdam
ricc             RICC-2010-2               ricc            447794 Cluster of clusters, RIKEN
cea-curie        CEA-Curie-2011-2.1-cln    cea_curie       312826 Curie, CEA
intel-netbatch-a Intel-NetbatchA-2012-1    intel_netbatch       - Netbatch farm, Intel, pool A
intel-netbatch-b Intel-NetbatchB-2012-1    intel_netbatch       - Netbatch farm, Intel, pool B
intel-netbatch-c Intel-NetbatchC-2012-1    intel_netbatch       - Netbatch farm, Intel, pool C
intel-netbatch-d Intel-NetbatchD-2012-1    intel_netbatch       - Netbatch farm, Intel, pool D
metacentrum-2013 METACENTRUM-2013-3        metacentrum2   5731100 Czech national grid
unilu-gaia       UniLu-Gaia-2014-2         unilu_gaia       51987 Gaia cluster, Luxembourg
kit-fh2          KIT-FH2-2016-1            kit_fh2              - ForHLR II cluster, Karlsruhe
"""
"""The logs by year: jobsim's name, the archive's, folder (without l_), jobs (- not known), machine.

The numbers of jobs are those of the files' lines, or of the archive's page on an uncleaned log.
"""

SHA256 = {
    "lpc-egee": "2fc37df5cc14c355fc7a88235f72e54fdf5f0d93de09399d015383ee5c35a59d",
    "intel-netbatch-d": "848e1a1d22a46c96fdc3868e6e7d510a94d6283e47ad47ee380008cc7a7a0fbd",
}
"""Digests, as published by people who fetched these files from the archive in September 2026.

Of the other logs none was to be found: those are trusted on the first fetch, checked from then on.
"""


def _listed(row: str) -> ArchiveLog:
    name, stem, folder, jobs, what = row.split(maxsplit=4)
    count = None if jobs == "-" else int(jobs)
    return ArchiveLog(name, stem, f"l_{folder}", what, count, SHA256.get(name))


LOGS = tuple(map(_listed, TABLE.strip().splitlines()))


def named(name: str) -> ArchiveLog | None:
    """The log of this name: jobsim's or the archive's, in upper or lower case; None if none."""
    wanted = name.lower().removesuffix(".gz").removesuffix(".swf")
    return next((log for log in LOGS if wanted in (log.name, log.stem.lower())), None)


def find(name: str) -> ArchiveLog:
    """The log of this name; UsageError with the nearest right names if there is none."""
    log = named(name)
    if log is not None:
        return log
    close = closest(name, [log.name for log in LOGS])
    hint = f"did you mean {' or '.join(close)}?" if close else "jobsim log fetch --list has all"
    raise UsageError(f"no log {shown(name)} in the Parallel Workloads Archive; {hint}")
