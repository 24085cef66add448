package dev.agentloop.sandbox.kernel;

import java.util.List;

/**
 * Orders (ioctl) to file systems. Most change something of a file, a folder or the whole file
 * system through a descriptor that is open for reading, which no rule of Landlock looks at. New
 * ones come with each kernel, so all of these families are refused but the questions named here and
 * copies that share blocks, for which the target must be open for writing. A number is {@code
 * direction and size, family, order}, the same on both machines (linux/fs.h, fscrypt.h, fsverity.h,
 * btrfs.h, msdos_fs.h); the kernel looks at its low 32 bits only.
 */
final class FileOrders {
    /** The part of a number that names the family. */
    static final int FAMILY = 0xff00;

    private FileOrders() {}

    /** The families, where {@link #FAMILY} has them. */
    static List<Integer> families() {
        return List.of(
                'f' << 8, // flags, ext4, fscrypt, fsverity
                'v' << 8, // generation of an inode
                'X' << 8, // more flags, freeze, trim, shut down; xfs
                'n' << 8, // nilfs2
                'o' << 8, // ocfs2
                'r' << 8, // fat, exfat
                0x8300, // zfs
                0x9400, // btrfs, label
                0x9700, // ceph
                0xbc00, // bcachefs
                0xcd00, // reiserfs
                0xcf00, // cifs
                0xf500); // f2fs
    }

    /** Orders of these families that change nothing of a file that is not open for writing. */
    static List<Integer> harmless() {
        return List.of(
                0x40049409, // FICLONE
                0x4020940d, // FICLONERANGE
                0xc020660b, // FS_IOC_FIEMAP
                0x80086601, // FS_IOC_GETFLAGS
                0x80046601, // its form of 32 bits, as of the others below
                0x80087601, // FS_IOC_GETVERSION
                0x80047601,
                0x801c581f, // FS_IOC_FSGETXATTR
                0x800c581e, // XFS_IOC_DIOINFO
                0x81009431, // FS_IOC_GETFSLABEL
                0x8400941f, // BTRFS_IOC_FS_INFO
                0x80089419, // BTRFS_IOC_SUBVOL_GETFLAGS
                0x81f8943c, // BTRFS_IOC_GET_SUBVOL_INFO
                0x400c6615, // FS_IOC_GET_ENCRYPTION_POLICY
                0xc0096616, // FS_IOC_GET_ENCRYPTION_POLICY_EX
                0xc080661a, // FS_IOC_GET_ENCRYPTION_KEY_STATUS
                0xc0046686, // FS_IOC_MEASURE_VERITY
                0xc0286687, // FS_IOC_READ_VERITY_METADATA
                0x80047210, // FAT_IOCTL_GET_ATTRIBUTES
                0x80047213, // FAT_IOCTL_GET_VOLUME_ID
                0x82307201); // VFAT_IOCTL_READDIR_BOTH
    }

    /**
     * Adding and removing the key of encrypted folders: of the whole file system, also where it is
     * mounted read-only.
     */
    static List<Integer> ofKeys() {
        return List.of(0xc0506617, 0xc0406618, 0xc0406619); // FS_IOC_ADD, REMOVE, REMOVE_ALL_USERS
    }
}
